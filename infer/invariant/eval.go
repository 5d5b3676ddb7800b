package invariant

import (
	"strconv"

	"dsd/internal/expr"
	"dsd/schemas"
)

// Scope holds the variables of a program point, over which its invariants are.
type Scope struct {
	// slots are the variables of the point by name. Two variables may have one name: a slice as
	// a reference, and its elements.
	slots map[string][]int
	vars  []schemas.TraceVar
}

// NewScope returns the scope of a point with these variables. All its conditions share it.
func NewScope(vars []schemas.TraceVar) *Scope {
	s := &Scope{slots: map[string][]int{}, vars: vars}
	for i, v := range vars {
		name := expr.Var(v.Name).String()
		s.slots[name] = append(s.slots[name], i)
	}
	return s
}

// A Condition is an invariant, prepared for evaluation in samples of a program point.
type Condition struct {
	cond *expr.Condition
	*Scope
}

// Condition prepares an expression over the variables. The error is that of expr.Parse. Variables that
// the point does not have are reported by Holds.
func (s *Scope) Condition(text string) (*Condition, error) {
	e, err := expr.Parse(text)
	if err != nil {
		return nil, err
	}
	return &Condition{expr.NewCondition(e), s}, nil
}

// Holds evaluates the condition in a sample: values[i] is that of vars[i]. A condition that reads
// a value which does not exist in the sample holds. The error names what cannot be evaluated.
func (c *Condition) Holds(values []Value) (holds bool, err error) {
	return c.cond.Holds(&sample{c, values})
}

// Evaluate evaluates the condition in a sample. exists is false if the condition reads a value that
// does not exist in the sample.
func (c *Condition) Evaluate(values []Value) (holds, exists bool, err error) {
	return c.cond.Evaluate(&sample{c, values})
}

// sample gives the variables of a condition their values; it implements expr.Env.
type sample struct {
	*Condition
	values []Value
}

// Lookup implements expr.Env.
func (s *sample) Lookup(name string, old, list bool) (v expr.Value, known bool) {
	slots := s.slots[name]
	if before := s.slots[expr.OldName(name)]; old && len(before) > 0 {
		slots = before
	}
	if len(slots) == 0 {
		if now, isOld := expr.CutOld(name); isOld { // what cannot change is declared once
			slots = s.slots[now]
		}
	}
	for _, i := range slots {
		if (kindOf(s.vars[i].Rep) == sequence) == list {
			return s.value(i), true
		}
	}
	return expr.Value{}, false
}

// valueKinds are the kinds of the elements of sequences, and of single values.
var valueKinds = map[kind]expr.ValueKind{
	integer: expr.IntValue, float: expr.FloatValue, boolean: expr.BoolValue,
	text: expr.TextValue, ref: expr.RefValue, dynamic: expr.RefValue, sequence: expr.ListValue,
}

// value returns the value of the variable i.
func (s *sample) value(i int) expr.Value {
	rep := s.vars[i].Rep
	v, k := &s.values[i], kindOf(rep)
	out := expr.Value{Kind: valueKinds[k], Int: v.Code}
	switch {
	case v.Missing, v.Unrepresentable && (k == sequence || k == float): // too long, not finite
		return expr.Value{}
	case v.Unrepresentable && k == integer: // beyond 64 bits
		out.Kind = expr.TextValue
	case k == float:
		out.Float = floatOf(v.Code)
	case k == text:
		t, err := strconv.Unquote(v.Text)
		out.Text, out.Known = t, err == nil
	case k == sequence:
		out.List = expr.List64{Elem: valueKinds[kindOf(elementReps[rep])], Codes: v.items.code}
	}
	return out
}

// TextCode implements expr.Env.
func (s *sample) TextCode(literal string) int64 { return hashOf([]byte(literal)) }

// FloatCode and FloatOf implement expr.Env.
func (s *sample) FloatCode(f float64) int64  { return floatCode(f) }
func (s *sample) FloatOf(code int64) float64 { return floatOf(code) }

// Unchanged implements expr.Env.
func (s *sample) Unchanged(root string) bool {
	for i, v := range s.vars {
		now, old := expr.CutOld(v.Name)
		if !old || !isPartOf(now, root) {
			continue
		}
		for j, w := range s.vars {
			x, y := &s.values[i], &s.values[j]
			if w.Name == now && w.Rep == v.Rep && (x.Missing != y.Missing || x.Code != y.Code) {
				return false
			}
		}
	}
	return true
}

// Parse reads a value as the trace has it.
func Parse(v *schemas.TraceVar, s []byte) Value {
	if k := kindOf(v.Rep); k != sequence {
		return parse(k, s)
	}
	return ItemsValue(v.Rep, s)
}
