package infer

import (
	"go/token"
	"slices"
	"strings"

	"dsd/infer/invariant"
	"dsd/internal/expr"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// typePoint is the program point of a type. It learns what holds for the type's values whenever an
// exported method is entered or left [DAIKON: program point hierarchy]. It has the samples of all
// these points, so its invariants have a higher confidence than those of each.
type typePoint struct {
	name     string
	receiver string // the name of the value
	decl     schemas.TracePoint
	learned  *invariant.Point
	list     []schemas.Invariant // of learned, once invariants was called
	// columns gives, for each point of a method, the columns of its samples that are the
	// variables of the type, -1 for none.
	columns map[*point][]int
}

// typeOf returns the type of which a function is an exported method.
func typeOf(fn string) (name string, ok bool) {
	n := symbol.Parse(fn)
	return n.Type(), n.Receiver != "" && token.IsExported(n.Func)
}

// declareTypes creates the points of the types whose methods are declared. The variables of a type
// are the union of those of its methods. Only the first trace that has a type declares its
// variables.
func (l *learner) declareTypes(points []*point) {
	if l.types == nil {
		l.types = map[string]*typePoint{}
	}
	for _, p := range points {
		if p == nil || p.decl.Interface || p.decl.Receiver == "" || p.typePoint != nil ||
			p.at == schemas.AtPanic {
			continue
		}
		name, ok := typeOf(p.fn)
		if !ok {
			continue
		}
		t := l.types[name]
		if t == nil {
			t = &typePoint{name: name, receiver: p.decl.Receiver}
			t.columns = map[*point][]int{}
			l.types[name] = t
		}
		if t.learned != nil { // an earlier trace declared it
			continue
		}
		p.typePoint = t
		for _, v := range p.decl.Vars {
			local, ok := expr.RenameVar(v.Name, p.decl.Receiver, t.receiver)
			if !ok || v.Result || indexOfVar(t.decl.Vars, local, v.Rep) >= 0 {
				continue
			}
			v.Name = local
			v.Pointer, _ = expr.RenameVar(v.Pointer, p.decl.Receiver, t.receiver)
			t.decl.Vars = append(t.decl.Vars, v)
		}
	}
	for _, t := range l.types {
		if t.learned == nil {
			t.decl.At = schemas.AtType
			t.learned = invariant.NewPoint(t.decl)
			t.learned.Confidence = l.confidence
		}
	}
	for _, p := range points {
		if p == nil || p.typePoint == nil || p.typePoint.columns[p] != nil {
			continue
		}
		columns := []int{}
		for _, v := range p.typePoint.decl.Vars {
			local, _ := expr.RenameVar(v.Name, p.typePoint.receiver, p.decl.Receiver)
			columns = append(columns, indexOfVar(p.decl.Vars, local, v.Rep))
		}
		p.typePoint.columns[p] = columns
	}
}

// indexOfVar returns the index of the variable with a name and a representation, or -1.
func indexOfVar(vars []schemas.TraceVar, name string, rep schemas.Rep) int {
	return slices.IndexFunc(vars, func(v schemas.TraceVar) bool {
		return v.Name == name && v.Rep == rep
	})
}

// point returns the type's point in the document, or nil if it has no invariants.
func (t *typePoint) point() *schemas.Point {
	if t.invariants(); len(t.list) == 0 {
		return nil
	}
	return &schemas.Point{
		Func: t.name, At: schemas.AtType,
		Samples: t.learned.Samples(), Invariants: slices.Clone(t.list),
	}
}

// invariants returns what the type has learned.
func (t *typePoint) invariants() []schemas.Invariant {
	if t.list == nil {
		t.list = t.learned.Invariants()
	}
	return t.list
}

// withInherited adds to own, the invariants of a method's point, those of its type for which the
// calls of the method alone are too little evidence.
func (l *learner) withInherited(p *point, own []schemas.Invariant) []schemas.Invariant {
	if p.typePoint == nil {
		return own
	}
	known := map[string]bool{}
	for _, inv := range own {
		known[inv.Expr] = true
		// Another instance of the template for the method is at least as strong.
		known[inv.Template+" "+strings.Join(inv.Vars, " ")] = true
		if inv.Template == "constant" || inv.Template == "one-of" {
			for _, weaker := range []string{"one-of ", "lower-bound ", "upper-bound ", "non-zero "} {
				known[weaker+inv.Vars[0]] = true
			}
		}
	}
	// same tells the names of the type's variables that mean the same in the method: a receiver l may be a
	// number in one method, and a pointer to it in the next.
	same := map[string]bool{}
	columns := p.typePoint.columns[p]
	for i, v := range p.typePoint.decl.Vars {
		before, known := same[v.Name]
		same[v.Name] = i < len(columns) && columns[i] >= 0 && (before || !known)
	}
	for _, inv := range p.typePoint.invariants() {
		vars := []string{}
		for _, v := range inv.Vars {
			if local, ok := expr.RenameVar(v, p.typePoint.receiver, p.decl.Receiver); ok && same[v] {
				vars = append(vars, local)
			}
		}
		inv.Expr = renameExpr(inv.Expr, p.typePoint.receiver, p.decl.Receiver)
		instance := inv.Template + " " + strings.Join(vars, " ")
		if len(vars) == len(inv.Vars) && !known[inv.Expr] && !known[instance] {
			inv.Vars = vars
			own = append(own, inv)
		}
	}
	return own
}

// renameExpr returns the text of an expression with the variable from renamed to to.
func renameExpr(text, from, to string) string {
	if from == to {
		return text
	}
	e, err := expr.Parse(text)
	if err != nil { // an expression that cannot be read names no receiver
		return text
	}
	return expr.Rename(e, from, to).String()
}
