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

// Process is what a process wrote.
type Process struct {
	// Samples are the complete lines of samples.
	Samples string
	// Counts and Witnesses are those parts of the file of counts, up to the number of lines.
	Counts, Witnesses []byte
	// Calls is the rest of the file, from the offset Calls on.
	Calls []byte
}

// Read returns what a process that observed a number of functions wrote into the files of samples and of counts with
// these names. complete is false, and it returns nothing else, if the process stopped before the file of counts was made.
// Errors: those of Samples, and more lines than MaxSamples.
func Read(samples, counts string, functions int) (p Process, complete bool, err error) {
	f, err := os.Open(counts)
	if err != nil {
		return Process{}, false, nil
	}
	defer f.Close()
	// Most of the file is a hole, whose zeros take longer to read than all that was written.
	read := func(offset, n int) []byte {
		part := make([]byte, n)
		if _, err := f.ReadAt(part, int64(offset)); err != nil {
			return nil
		}
		return part
	}
	begin := read(0, Counts)
	p.Calls = read(Calls, (functions+2)*8+(functions+1)*4)
	if begin == nil || p.Calls == nil {
		return Process{}, false, nil
	}
	text, err := Samples(samples, begin)
	if err != nil {
		return Process{}, false, err
	}
	n := bytes.Count(text, []byte("\n"))
	if n > MaxSamples {
		return Process{}, false, fmt.Errorf("%s has %d lines, and %d at most", filepath.Base(samples), n, MaxSamples)
	}
	p.Samples, p.Counts, p.Witnesses = string(text), read(Counts, n*8), read(Witnesses, n*4)
	if n > 0 && (p.Counts == nil || p.Witnesses == nil) {
		return Process{}, false, io.ErrUnexpectedEOF
	}
	return p, true, nil
}

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
