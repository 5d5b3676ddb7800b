package ir

import (
	"fmt"
	"io"
	"strings"

	"dsd/check/logic"
)

// Dump writes f to w, one command a line. The text depends on f alone, so that it can be compared
// with a golden file. A block without an end, as in a function under construction, ends in
// "unfinished".
func (f *Func) Dump(w io.Writer) {
	fmt.Fprintf(w, "func %s(%s) (%s)\n", f.Name, names(f.Params), names(f.Results))
	if f.Unsupported != "" {
		fmt.Fprintf(w, "  unsupported: %s\n", f.Unsupported)
		return
	}
	for _, b := range f.Blocks {
		fmt.Fprintf(w, "%d:", b.Index)
		if l := f.Loops[b.Index]; l != nil {
			fmt.Fprintf(w, " loop to %d", l.Last)
		}
		fmt.Fprintln(w)
		for _, c := range b.Cmds {
			fmt.Fprintf(w, "  %s\n", CmdText(c))
		}
		fmt.Fprintf(w, "  %s\n", endText(b.End))
	}
}

// CmdText returns the printed form of a command: one line, without a line end.
func CmdText(c Cmd) string {
	switch c := c.(type) {
	case *Assign:
		return fmt.Sprintf("%s := %v", c.Dst.Name, c.Src)

	case *Assume:
		return fmt.Sprintf("assume %v", c.Cond)

	case *Assert:
		return fmt.Sprintf("assert %v %s", c.Cond, c.Kind)

	case *Havoc:
		return "havoc " + names(c.Vars)

	case *Alloc:
		return "alloc " + c.Var.Name

	case *Grow:
		return "grow " + c.Var.Name

	case *Call:
		callee := c.Static
		switch {
		case c.Fn != nil:
			callee = fmt.Sprintf("value %v env %v", c.Fn, c.Env)
		case c.Tag != nil:
			callee = fmt.Sprintf("method %s of %v", c.Method, c.Tag)
		}
		return fmt.Sprintf("%s := call %s%v", names(c.Results), callee, c.Args)
	}
	return fmt.Sprintf("%T", c)
}

func endText(e End) string {
	switch e := e.(type) {
	case Jump:
		return fmt.Sprintf("goto %d", e.To)
	case Branch:
		return fmt.Sprintf("if %v goto %d else %d", e.Cond, e.Then, e.Else)
	case Return:
		return "return"
	case Unwind:
		return "unwind"
	case Stop:
		return "stop"
	}
	return "unfinished"
}

func names(vars []*logic.Var) string {
	list := make([]string, len(vars))
	for i, v := range vars {
		list[i] = v.Name
	}
	return strings.Join(list, ", ")
}
