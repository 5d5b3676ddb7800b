package confirm

import (
	"fmt"
	"strconv"
	"strings"

	"dsd/crash/observe"
	"dsd/crash/verify"
	"dsd/internal/fact"
	"dsd/schemas"
)

// contradiction returns why a test did not crash as warned: what of its counterexample the run
// showed to be otherwise.
func contradiction(
	o *observe.Observer, a *missed, v verify.Verdict, events []observe.Event,
) reason {
	switch {
	case v.Status == verify.Other:
		return refuted(v.Reason)
	case v.Reason != verify.ReasonNoPanic:
		return open(v.Reason)
	}
	for _, s := range a.path {
		if strings.HasPrefix(s.Note, schemas.StepOffers) {
			return open(fmt.Sprintf(reasonNotCalled, s.Callee()))
		}
	}
	parting := o.Parting(a.path, events)
	calls := map[string]int{} // so far, by callee
	for _, e := range events {
		if e.Call != nil {
			n := calls[e.Call.Callee]
			calls[e.Call.Callee]++
			if assumed := contradicts(e.Call, n, a.ce.Returns); assumed != "" {
				return refuted(fmt.Sprintf(reasonReturned, showCall(e.Call), assumed))
			}
		}
	}
	switch {
	case a.replaced != "":
		return reason{schemas.NoWay, fmt.Sprintf(reasonReplaced, a.replaced)}
	case parting != nil:
		return refuted(parting.String())
	case a.warning.Status == schemas.Free:
		return refuted(reasonUnseen)
	}
	return refuted(reasonNothing)
}

// contradicts returns what a counterexample assumes of the results of a call, the n-th of its callee
// from 0 on, if the call returned something else, and "" if it did not.
func contradicts(c *fact.Call, n int, assumed []schemas.Input) string {
	for i := range assumed {
		if in := &assumed[i]; in.Name == c.Callee {
			if n > 0 {
				n--
				continue
			}
			if len(c.Results) == 1 && differs(&c.Results[0], &in.Node) {
				return showNode(&in.Node)
			}
			for j := range in.Fields {
				f := &in.Fields[j]
				n, err := strconv.Atoi(f.Name)
				if len(c.Results) > 1 && err == nil && n < len(c.Results) &&
					differs(&c.Results[n], &f.Node) {
					return showNode(&f.Node)
				}
			}
			return ""
		}
	}
	return ""
}

// differs reports whether a value cannot be that of a node, as far as both tell.
func differs(v *fact.Value, n *schemas.Node) bool {
	switch {
	case n.Lit == "nil":
		return v.NotNil || v.Len != nil && *v.Len > 0
	case n.Ref != nil || n.Dynamic != nil || n.Lit == "func":
		if n.Len != nil && v.Len != nil && int64(*v.Len) != *n.Len {
			return true
		}
		return v.Nil && (n.Len == nil || *n.Len > 0)
	case strings.HasPrefix(n.Lit, `"`):
		return v.Text != nil && strconv.Quote(string(*v.Text)) != n.Lit
	case n.Lit == "true" || n.Lit == "false":
		return v.Bits != nil && (*v.Bits != 0) != (n.Lit == "true")
	case n.Lit != "" && v.Bits != nil:
		if i, err := strconv.ParseInt(n.Lit, 10, 64); err == nil {
			return uint64(i) != *v.Bits
		}
		u, err := strconv.ParseUint(n.Lit, 10, 64)
		return err == nil && u != *v.Bits
	}
	return false
}

// maxShown is the length of a value, in bytes, that a reason shows.
const maxShown = 60

// showCall writes a call as Go does: path.Clean("/a/..") = "/".
func showCall(c *fact.Call) string {
	list := func(vals []fact.Value) string {
		var out []string
		for i := range vals {
			out = append(out, showValue(&vals[i]))
		}
		return strings.Join(out, ", ")
	}
	return fmt.Sprintf("%s(%s) = %s", c.Callee, list(c.Args), list(c.Results))
}

func showValue(v *fact.Value) string {
	switch {
	case v.Nil:
		return "nil"
	case v.Text != nil:
		return shorten(strconv.Quote(string(*v.Text)))
	case v.Bits != nil:
		return strconv.FormatInt(int64(*v.Bits), 10)
	case v.Inside != nil:
		return "&" + showValue(v.Inside)
	case v.Elems != nil || v.Len != nil:
		var out []string
		for i := range v.Elems {
			out = append(out, showValue(&v.Elems[i]))
		}
		if v.Elems == nil && *v.Len > 0 {
			out = append(out, fmt.Sprintf("%d elements", *v.Len))
		}
		return shorten("{" + strings.Join(out, ", ") + "}")
	case v.NotNil:
		return "not nil"
	}
	return "..."
}

func showNode(n *schemas.Node) string {
	switch {
	case n.Lit == "func":
		return "a function"
	case n.Lit != "":
		return shorten(n.Lit)
	case n.Len != nil:
		return fmt.Sprintf("%d elements", *n.Len)
	case n.Ref != nil || n.Dynamic != nil:
		return "not nil"
	}
	return "another value"
}

func shorten(text string) string {
	if len(text) > maxShown {
		return text[:maxShown] + "..."
	}
	return text
}
