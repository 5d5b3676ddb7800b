package constants

import (
	"go/token"
	"go/types"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"dsd/schemas"
)

// Observed holds the values that parameters had when the tests of the testee ran: Go literals by
// the name of the function and of the parameter. Under anyFunc it has those of the fields of
// parameters, by the name of the field.
type Observed map[string]map[string][]string

// anyFunc is no function's name.
const anyFunc = ""

// Observe reads the values of parameters from a trace: of each parameter that is an integer or a
// string, and of each field of one that is a number or a string, the first maxUsual different
// values. The error is that of the trace.
func Observe(t *schemas.TraceReader) (Observed, error) {
	out := Observed{}
	for {
		s, err := t.Next()
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		p := &t.Header.Points[s.Point]
		if p.At != schemas.AtEntry {
			continue
		}
		for i, v := range p.Vars {
			owner, name, text := p.Func, v.Name, s.Values[i]
			if of, field, ok := strings.Cut(v.Name, "."); ok && token.IsIdentifier(of) {
				owner, name = anyFunc, field
			}
			if !token.IsIdentifier(name) { // a value that is derived, or a field further in
				continue
			}
			switch v.Rep {
			case schemas.RepFloat:
				if owner != anyFunc {
					continue
				}
				if !strings.ContainsAny(text, ".eE") {
					text += ".0"
				}
			case schemas.RepInt, schemas.RepUint, schemas.RepString:
			default:
				continue
			}
			if _, ok := parseObserved(text); ok {
				out.add(owner, name, text)
			}
		}
	}
}

func (o Observed) add(fn, param, text string) {
	if o[fn] == nil {
		o[fn] = map[string][]string{}
	}
	if list := o[fn][param]; len(list) < maxUsual && !slices.Contains(list, text) {
		o[fn][param] = append(list, text)
	}
}

// literals returns the observed values of a parameter.
func (o Observed) literals(fn, param string) []Literal {
	var out []Literal
	for _, text := range o[fn][param] {
		l, _ := parseObserved(text)
		out = append(out, l)
	}
	return out
}

// parseObserved is parseLiteral, and reads floating-point numbers, too.
func parseObserved(text string) (Literal, bool) {
	if l, ok := parseLiteral(text); ok || !strings.ContainsAny(text, ".eE") || IsString(text) {
		return l, ok
	}
	f, err := strconv.ParseFloat(text, 64)
	return Literal{types.Float64, Value{Bits: math.Float64bits(f)}}, err == nil
}
