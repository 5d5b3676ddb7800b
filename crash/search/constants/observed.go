package constants

import (
	"go/token"
	"io"
	"slices"

	"dsd/schemas"
)

// Observed holds the values that parameters had when the tests of the testee ran: Go literals by
// the name of the function and of the parameter.
type Observed map[string]map[string][]string

// Observe reads the values of parameters from a trace: of each parameter that is an integer or a
// string, the first maxUsual different values. The error is that of the trace.
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
			switch v.Rep {
			case schemas.RepInt, schemas.RepUint, schemas.RepString:
			default:
				continue
			}
			if !token.IsIdentifier(v.Name) { // a field, or a value that is derived
				continue
			}
			if _, ok := Parse(s.Values[i]); ok {
				out.add(p.Func, v.Name, s.Values[i])
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
		l, _ := parseLiteral(text)
		out = append(out, l)
	}
	return out
}
