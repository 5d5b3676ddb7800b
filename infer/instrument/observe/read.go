//go:build go1.21

package observe

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Samples returns the complete lines of samples of a process: those in the file of that name, and
// those in the tail that the file of counts holds, of which the first Counts bytes are enough. What a
// process writes is not trusted: it is an error if it cannot be.
func Samples(name string, counts []byte) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if len(counts) < Counts {
		return nil, io.ErrUnexpectedEOF
	}
	end := int64(binary.NativeEndian.Uint64(counts))
	inTail := end % SizeOfTail
	if inTail == 0 && info.Size() < end { // the process ended before the tail was in the file
		inTail = SizeOfTail
	}
	if end < 0 || end-inTail < 0 || end-inTail > info.Size() {
		return nil, fmt.Errorf("%s has %d bytes, and not %d", filepath.Base(name), info.Size(), end-inTail)
	}
	text := make([]byte, end-inTail, end)
	if _, err := io.ReadFull(f, text); err != nil {
		return nil, err
	}
	text = append(text, counts[Tail:][:inTail]...)
	return text[:bytes.LastIndexByte(text, '\n')+1], nil
}
