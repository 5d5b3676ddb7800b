package fix

import (
	"context"
	"fmt"
	"go/types"

	"dsd/crash/verify"
	"dsd/internal/source"
	"dsd/schemas"
)

// Prover reports whether a function cannot raise a panic of a kind at a position, as check sees it,
// if a condition over its parameters holds at its entry; "" stands for no condition.
type Prover func(ctx context.Context, fn *source.Func, kind schemas.Kind, pos, cond string) (
	safe bool, err error)

// maxConditions is the number of conditions that MissingCheck tries.
const maxConditions = 60

// MissingCheck returns the first condition over the parameters of the called function that rules out the
// panic of a crash. Conditions are tried weakest first: single ones, then pairs. refuse returns why a
// condition is not acceptable, "" if it is; a nil refuse accepts all. If no condition is left, cond is ""
// and why says so. Errors are those of prove and refuse.
func MissingCheck(
	ctx context.Context, prog *source.Program, c *schemas.Crash, prove Prover, refuse func(cond string) (string, error),
) (cond, why string, err error) {
	fn := verify.Func(verify.Funcs(prog), c.Func)
	if fn == nil {
		return "", "the testee has no function " + c.Func, nil
	}
	safe, err := prove(ctx, fn, c.Kind, c.Pos, "")
	if err != nil {
		return "", "", err
	}
	if safe {
		return "", "check does not reach this panic within its bounds", nil
	}
	single := conditions(fn, c.Kind)
	tries := append([]string(nil), single...)
	for i, a := range single {
		for _, b := range single[i+1:] {
			tries = append(tries, a+" && "+b)
		}
	}
	refused := ""
	for _, t := range tries[:min(len(tries), maxConditions)] {
		safe, err := prove(ctx, fn, c.Kind, c.Pos, t)
		if err != nil {
			return "", "", err
		}
		if !safe {
			continue
		}
		if refuse == nil {
			return t, "", nil
		}
		why, err := refuse(t)
		if why == "" || err != nil {
			return t, "", err
		}
		if refused == "" {
			refused = fmt.Sprintf(" (%s does, but %s)", t, why)
		}
	}
	return "", "no simple condition over the parameters rules the panic out" + refused +
		": the check belongs where it happens", nil
}

// conditions returns conditions over the parameters of a function, and over the fields that they
// lead to in one step, that may rule out a panic of a kind, weaker ones before stronger ones.
func conditions(fn *source.Func, kind schemas.Kind) []string {
	var nils, numbers, lengths []string
	var add func(name string, t types.Type, depth int)
	add = func(name string, t types.Type, depth int) {
		switch u := t.Underlying().(type) {
		case *types.Basic:
			switch {
			case u.Info()&types.IsInteger != 0:
				numbers = append(numbers, name)
			case u.Info()&types.IsString != 0:
				lengths = append(lengths, "len("+name+")")
			}
		case *types.Slice:
			lengths = append(lengths, "len("+name+")")
		case *types.Map:
			nils = append(nils, name)
		case *types.Interface, *types.Signature, *types.Chan:
			nils = append(nils, name)
		case *types.Pointer:
			nils = append(nils, name)
			if s, ok := u.Elem().Underlying().(*types.Struct); ok && depth > 0 {
				fields(s, name, depth, add)
			}
		case *types.Struct:
			if depth > 0 {
				fields(u, name, depth, add)
			}
		}
	}
	sig := fn.Obj.Signature()
	if r := sig.Recv(); r != nil && r.Name() != "" && r.Name() != "_" {
		add(r.Name(), r.Type(), 1)
	}
	for i := range sig.Params().Len() {
		if p := sig.Params().At(i); p.Name() != "" && p.Name() != "_" {
			add(p.Name(), p.Type(), 1)
		}
	}
	var out []string
	switch kind {
	case schemas.NilDeref, schemas.NilMap, schemas.Chan:
		for _, n := range nils {
			out = append(out, n+" != nil")
		}
		for _, l := range lengths {
			out = append(out, l+" > 0")
		}
	case schemas.DivZero:
		for _, n := range append(numbers, lengths...) {
			out = append(out, n+" != 0")
		}
		for i, n := range numbers {
			for _, m := range numbers[i+1:] {
				out = append(out, n+" != "+m)
			}
		}
	default:
		for _, least := range []string{" > 0", " > 1", " > 2", " > 3", " > 4"} {
			for _, l := range lengths {
				out = append(out, l+least)
			}
		}
		for _, n := range numbers {
			out = append(out, n+" >= 0")
			for _, l := range lengths {
				out = append(out, fmt.Sprintf("%s <= %s", n, l), fmt.Sprintf("%s < %s", n, l))
			}
		}
		for i, l := range lengths {
			for _, m := range lengths[i+1:] {
				out = append(out, fmt.Sprintf("%s <= %s", l, m), fmt.Sprintf("%s >= %s", l, m))
			}
		}
	}
	return out
}

// fields adds the fields of a struct.
func fields(s *types.Struct, name string, depth int, add func(string, types.Type, int)) {
	for i := range s.NumFields() {
		if f := s.Field(i); f.Name() != "_" {
			add(name+"."+f.Name(), f.Type(), depth-1)
		}
	}
}
