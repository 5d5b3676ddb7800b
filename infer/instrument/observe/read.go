//go:build go1.21

package observe

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
)

// Samples returns the complete lines of samples of a process: those in the file of that name, and
// those in the tail that the file of counts holds.
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
	end := int64(binary.NativeEndian.Uint64(counts))
	inTail := end % SizeOfTail
	if inTail == 0 && info.Size() < end { // the process ended before the tail was in the file
		inTail = SizeOfTail
	}
	text := make([]byte, end-inTail, end)
	if _, err := io.ReadFull(f, text); err != nil {
		return nil, err
	}
	text = append(text, counts[Tail:][:inTail]...)
	return text[:bytes.LastIndexByte(text, '\n')+1], nil
}
