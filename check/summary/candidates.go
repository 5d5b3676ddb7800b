package summary

import (
	"fmt"
	"go/types"
)

// bounds are the numbers with which results are compared: those of clocks, calendars and bits.
var bounds = []int{0, 1, 2, 4, 6, 7, 8, 12, 16, 23, 31, 32, 53, 59, 63, 64, 127, 128, 255, 366, 999}

// lengths are lengths that results may have.
var lengths = []int{0, 1, 2, 3, 4, 5, 6, 8, 12, 16, 20, 28, 32, 48, 64, 128}

// candidates returns what a function may ensure, judging by its signature: lists of conditions,
// strongest first, of which each implies those after it.
func candidates(f *types.Func) [][]string {
	sig := f.Type().(*types.Signature)
	res := sig.Results()
	var out [][]string
	add := func(list ...string) { out = append(out, list) }
	unless := "" // the condition under which the other results mean something
	for i := range res.Len() {
		r := result{resultName(res, i), res.At(i).Type()}
		if i == res.Len()-1 && i > 0 {
			continue
		}
		r.candidates(sig, add)
	}
	if n := res.Len() - 1; n > 0 {
		last := result{resultName(res, n), res.At(n).Type()}
		switch {
		case last.isError():
			unless = last.name + " == nil"
			add(unless)
		case isBasic(last.t, types.IsBoolean):
			unless = last.name
		default:
			last.candidates(sig, add)
		}
	}
	if unless == "" {
		return out
	}
	for _, c := range out {
		var guarded []string
		for _, cond := range c {
			if cond != unless {
				guarded = append(guarded, fmt.Sprintf("implies(%s, %s)", unless, cond))
			}
		}
		add(guarded...)
	}
	return out
}

// result is a result of a function.
type result struct {
	name string
	t    types.Type
}

// candidates adds what the result may satisfy.
func (r result) candidates(sig *types.Signature, add func(list ...string)) {
	switch u := r.t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsInteger != 0:
			r.number(sig, add)
		case u.Info()&types.IsString != 0:
			r.length(sig, add)
		}
	case *types.Slice:
		add(r.name + " != nil")
		r.length(sig, add)
	case *types.Pointer:
		if recv := sig.Recv(); recv != nil && recv.Name() != "" && types.Identical(recv.Type(), r.t) {
			add(r.name + " == " + recv.Name())
		}
		add(r.name + " != nil")
	case *types.Map, *types.Signature, *types.Chan, *types.Interface:
		add(r.name + " != nil")
		if r.isError() {
			add(r.name + " == nil")
		}
	}
}

// number adds the bounds of an integer.
func (r result) number(sig *types.Signature, add func(list ...string)) {
	var above, below []string
	for i := len(bounds) - 1; i >= 0; i-- {
		above = append(above, fmt.Sprintf("%s >= %d", r.name, bounds[i]))
	}
	above = append(above, r.name+" >= -1")
	for _, n := range bounds {
		below = append(below, fmt.Sprintf("%s <= %d", r.name, n))
	}
	add(above...)
	add(below...)
	for v := range sig.Params().Variables() {
		if v.Name() == "" || v.Name() == "_" {
			continue
		}
		switch u := v.Type().Underlying().(type) {
		case *types.Slice:
			add(fmt.Sprintf("%s < len(%s)", r.name, v.Name()), fmt.Sprintf("%s <= len(%s)", r.name, v.Name()))
			add(fmt.Sprintf("%s >= len(%s)", r.name, v.Name()))
		case *types.Basic:
			switch {
			case u.Info()&types.IsString != 0:
				add(fmt.Sprintf("%s < len(%s)", r.name, v.Name()),
					fmt.Sprintf("%s <= len(%s)", r.name, v.Name()))
				add(fmt.Sprintf("%s >= len(%s)", r.name, v.Name()))
			case types.Identical(v.Type(), r.t):
				add(fmt.Sprintf("%s < %s", r.name, v.Name()), fmt.Sprintf("%s <= %s", r.name, v.Name()))
				add(fmt.Sprintf("%s >= %s", r.name, v.Name()))
			}
		}
	}
}

// length adds the bounds of a length.
func (r result) length(sig *types.Signature, add func(list ...string)) {
	l := fmt.Sprintf("len(%s)", r.name)
	var above, below []string
	for i := len(lengths) - 1; i > 0; i-- {
		above = append(above, fmt.Sprintf("%s >= %d", l, lengths[i]))
	}
	for _, n := range lengths {
		below = append(below, fmt.Sprintf("%s <= %d", l, n))
	}
	add(above...)
	add(below...)
	for v := range sig.Params().Variables() {
		if v.Name() == "" || v.Name() == "_" {
			continue
		}
		_, slice := v.Type().Underlying().(*types.Slice)
		if slice || isBasic(v.Type(), types.IsString) {
			add(fmt.Sprintf("%s <= len(%s)", l, v.Name()))
			add(fmt.Sprintf("%s >= len(%s)", l, v.Name()))
		} else if types.Identical(v.Type(), types.Typ[types.Int]) {
			add(fmt.Sprintf("%s == %s", l, v.Name()), fmt.Sprintf("%s <= %s", l, v.Name()))
		}
	}
}

func (r result) isError() bool {
	return types.Identical(r.t, types.Universe.Lookup("error").Type())
}

func isBasic(t types.Type, info types.BasicInfo) bool {
	u, ok := t.Underlying().(*types.Basic)
	return ok && u.Info()&info != 0
}

// resultName returns the name that conditions have for a result.
func resultName(results *types.Tuple, i int) string {
	if name := results.At(i).Name(); name != "" && name != "_" {
		return name
	}
	if results.Len() == 1 {
		return "result"
	}
	return fmt.Sprintf("result%d", i)
}
