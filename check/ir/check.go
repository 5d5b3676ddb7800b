package ir

import "fmt"

// Check returns an error if f breaks an invariant of the package:
//
//   - a block's Index is its position in Blocks, and every block has an end;
//   - jumps go to existing blocks;
//   - a jump to the same or an earlier block goes to the head of a loop that contains the jump.
//
// An error is a bug of check/lower. A function that could not be lowered passes.
func (f *Func) Check() error {
	if f.Unsupported != "" {
		return nil
	}
	for i, b := range f.Blocks {
		if b.Index != i {
			return fmt.Errorf("%s: block %d is numbered %d", f.Name, i, b.Index)
		}
		for _, to := range Successors(b) {
			if to < 0 || to >= len(f.Blocks) {
				return fmt.Errorf("%s: block %d jumps to block %d, which does not exist",
					f.Name, i, to)
			}
			if to > i {
				continue
			}
			if l := f.Loops[to]; l == nil || i > l.Last {
				return fmt.Errorf("%s: block %d jumps back to block %d, "+
					"which is not the head of a loop around it", f.Name, i, to)
			}
		}
		if b.End == nil {
			return fmt.Errorf("%s: block %d has no end", f.Name, i)
		}
	}
	return nil
}
