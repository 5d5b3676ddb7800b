package infer

import (
	"errors"
	"fmt"
	"io"
	"sort"

	"dsd/infer/invariant"
	"dsd/schemas"
)

// Invariants learns invariants from traces of one module. Points of the same function are taken together if they
// declare the same variables; a trace that declares them otherwise was made from another version and is refused.
//
// In a trace samples come by point, so the result does not depend on the order of the traces' processes; with several
// traces it does not depend on the order of the traces either, as every template is order-free.
//
// Errors: those of reading, and traces that do not belong together.
func Invariants(traces []*schemas.TraceReader) (*schemas.Invariants, error) {
	doc := &schemas.Invariants{Points: []schemas.Point{}}
	type key struct{ fn, at string }
	points := map[key]*invariant.Point{}
	decls := map[key]schemas.TracePoint{}
	samples := map[key]int64{}
	var keys []key
	for i, t := range traces {
		h := t.Header
		if i == 0 {
			doc.Module = h.Module
		} else if h.Module.Path != doc.Module.Path {
			return nil, fmt.Errorf("%s: a trace of module %s cannot be combined with one of %s", t.Name(), h.Module.Path, doc.Module.Path)
		}
		doc.Incomplete = doc.Incomplete || h.Incomplete
		of := make([]key, len(h.Points))
		for j, p := range h.Points {
			k := key{p.Func, p.At}
			of[j] = k
			if old, ok := decls[k]; !ok {
				decls[k], points[k] = p, invariant.NewPoint(p)
				keys = append(keys, k)
			} else if !sameVars(old.Vars, p.Vars) {
				if p.Interface {
					of[j] = key{} // seen from a package that names its types otherwise
					continue
				}
				return nil, fmt.Errorf("%s: points[%d]: %s has other variables than in the traces before", t.Name(), j, p.Func)
			}
		}
		for {
			s, err := t.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return nil, err
			}
			if k := of[s.Point]; k.fn != "" {
				points[k].Add(s.Values, s.Count)
				samples[k] += s.Count
			}
		}
	}
	sort.Slice(keys, func(i, j int) bool {
		if keys[i].fn != keys[j].fn {
			return keys[i].fn < keys[j].fn
		}
		return keys[i].at < keys[j].at // entry before exit
	})
	n := 0
	for _, k := range keys {
		if samples[k] == 0 {
			continue
		}
		p := schemas.Point{Func: k.fn, At: k.at, Samples: samples[k], Invariants: points[k].Invariants()}
		for i := range p.Invariants {
			n++
			p.Invariants[i].ID = fmt.Sprintf("I%d", n)
		}
		doc.Points = append(doc.Points, p)
	}
	return doc, nil
}

// sameVars compares names and representations; how a type is written depends on the package it is seen from.
func sameVars(a, b []schemas.TraceVar) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Name != b[i].Name || a[i].Rep != b[i].Rep {
			return false
		}
	}
	return true
}
