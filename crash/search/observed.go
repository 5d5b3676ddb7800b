package search

import (
	"go/token"
	"go/types"
	"io"
	"slices"

	"dsd/schemas"
)

// Observed are values that parameters had when the testee's own tests ran: Go literals, by function and parameter.
type Observed map[string]map[string][]string

// Observe reads from a trace what it holds of the parameters of functions: the first values, each once.
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
			if !token.IsIdentifier(v.Name) || v.Rep != schemas.RepInt && v.Rep != schemas.RepUint && v.Rep != schemas.RepString {
				continue
			}
			if _, ok := valueOf(s.Values[i]); ok {
				out.add(p.Func, v.Name, s.Values[i])
			}
		}
	}
}

func (o Observed) add(fn, param, lit string) {
	if o[fn] == nil {
		o[fn] = map[string][]string{}
	}
	if list := o[fn][param]; len(list) < maxUsual && !slices.Contains(list, lit) {
		o[fn][param] = append(list, lit)
	}
}

// literals are the values of a parameter.
func (o Observed) literals(fn, param string) []literal {
	var out []literal
	for _, text := range o[fn][param] {
		v, _ := valueOf(text)
		kind := types.Int
		if kindOfLiteral(text) == token.STRING {
			kind = types.String
		}
		out = append(out, literal{kind, v})
	}
	return out
}
