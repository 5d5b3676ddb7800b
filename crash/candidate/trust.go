package candidate

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"

	"dsd/crash/candidate/run"
)

// The process runs code of the testee, which may write what it likes on the pipe and into the shared memory. So what
// comes from there is checked before it is used: a false report ends the search in its package, and does nothing else.

// maxReport is the size of the largest report of a batch, in bytes. Reports have a few kilobytes.
const maxReport = 256 << 20

// readReport reads the report of a batch, which is JSON; see readText.
func readReport(in io.Reader) (*run.Report, error) {
	text, err := readText(in)
	if err != nil {
		return nil, err
	}
	var rep run.Report
	if err := json.Unmarshal(text, &rep); err != nil {
		return nil, err
	}
	return &rep, nil
}

// readText reads the text of a report: its size, a little-endian uint32, and as many bytes. It takes no more memory
// than has arrived.
func readText(in io.Reader) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return nil, err
	}
	n := int64(binary.LittleEndian.Uint32(head[:]))
	if n > maxReport {
		return nil, fmt.Errorf("a report of %d bytes", n)
	}
	text, err := io.ReadAll(io.LimitReader(in, n))
	if err == nil && int64(len(text)) < n {
		err = io.ErrUnexpectedEOF
	}
	return text, err
}

// check returns what is false about the report on those programs of a batch that indices lists, nil if nothing is: each
// index must be one of a program, statement, block, goal or target that exists.
func (h *Harness) check(rep *run.Report, indices []int, batch []Program, goals int) error {
	for i := range rep.Events {
		e := &rep.Events[i]
		if e.Index < 0 || e.Index >= len(indices) {
			return fmt.Errorf("an event of candidate %d of %d", e.Index, len(indices))
		}
		if n := len(batch[indices[e.Index]]); e.Stmt < 0 || e.Stmt > n {
			return fmt.Errorf("an event in statement %d of %d", e.Stmt, n)
		}
		for _, b := range e.Blocks {
			if b < 0 || b >= h.Blocks {
				return fmt.Errorf("block %d of %d", b, h.Blocks)
			}
		}
		for _, n := range e.NearerTrails {
			if n.Trail < 0 || n.Trail >= len(h.targets) {
				return fmt.Errorf("trail %d of %d", n.Trail, len(h.targets))
			}
		}
		for _, g := range e.ImprovedGoals {
			if g < 0 || g >= goals {
				return fmt.Errorf("goal %d of %d", g, goals)
			}
		}
	}
	for _, c := range rep.Changed {
		if c.Index < 0 || c.Index >= len(indices) {
			return fmt.Errorf("a variant of candidate %d of %d", c.Index, len(indices))
		}
	}
	if rep.Panics < 0 || rep.Goroutines < 0 || rep.Evaluated < 0 {
		return fmt.Errorf("%d panics, %d goroutines, %d candidates", rep.Panics, rep.Goroutines, rep.Evaluated)
	}
	return nil
}
