//go:build go1.21

package run

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
)

// A goal is a counterexample: what the arguments of a function should be. Each of its nodes is a
// condition. The runtime reports a call that meets a condition for the first time, or more
// conditions at a time than any call before, so that such candidates are kept [STAR 4.5].

// node is a value of a counterexample, as in the documents (schemas.Node).
type node struct {
	Type    string  `json:"type"`
	Lit     string  `json:"lit"`
	Ref     *int    `json:"ref"`
	Len     *int64  `json:"len"`
	Fields  []field `json:"fields"`
	Elems   []elem  `json:"elems"`
	Dynamic *node   `json:"dynamic"`
	number  int     // of the node's condition in its goal
}

type field struct {
	Name string `json:"name"`
	node
}

type elem struct {
	Index int64 `json:"index"`
	Key   *node `json:"key"`
	Value node  `json:"value"`
}

// goal holds the nodes of the arguments and the objects that they refer to.
type goal struct {
	Args    []node `json:"args"`
	Objects []node `json:"objects"`
	first   int    // index in reached of its first condition
	size    int    // number of conditions
}

var goals []goal

// reached holds, goal after goal, size flags for the conditions that some call met, and size+1
// flags for the numbers of conditions that some call met at a time.
var reached []bool

// Goals sets the goals of the table's operations: a JSON array of goals.
func Goals(text string) {
	if err := json.Unmarshal([]byte(text), &goals); err != nil {
		panic(err)
	}
	next := 0
	for i := range goals {
		g := &goals[i]
		g.first = next
		var visit func(n *node)
		visit = func(n *node) {
			n.number = g.size
			g.size++
			for j := range n.Fields {
				visit(&n.Fields[j].node)
			}
			for j := range n.Elems {
				if n.Elems[j].Key != nil {
					visit(n.Elems[j].Key)
				}
				visit(&n.Elems[j].Value)
			}
			if n.Dynamic != nil {
				visit(n.Dynamic)
			}
		}
		for j := range g.Args {
			visit(&g.Args[j])
		}
		for j := range g.Objects {
			visit(&g.Objects[j])
		}
		next += 2*g.size + 1
	}
	reached = make([]bool, next)
}

// compareGoals compares the arguments of an operation with its goals.
func (f *Frame) compareGoals(numbers []int) {
	for _, n := range numbers {
		g := &goals[n]
		m := matcher{goal: g, seen: map[int]uintptr{}}
		for i := range g.Args {
			if i < f.N() {
				m.match(&g.Args[i], reflect.ValueOf(f.Arg(i)))
			}
		}
		if m.reach(g.size + m.met); m.improved {
			improvedGoals = append(improvedGoals, n)
		}
	}
}

// improvedGoals are the goals that the running candidate came nearer to.
var improvedGoals []int

// matcher compares arguments with a goal.
type matcher struct {
	goal *goal
	seen map[int]uintptr // addresses of the values that objects were matched with
	met  int             // number of conditions met
	// improved reports whether something was reached for the first time.
	improved bool
}

// note records whether the condition of a node holds, and returns holds.
func (m *matcher) note(n *node, holds bool) bool {
	if holds {
		m.met++
		m.reach(n.number)
	}
	return holds
}

// reach sets the i-th of the goal's flags in reached.
func (m *matcher) reach(i int) {
	if flag := &reached[m.goal.first+i]; !*flag {
		*flag, m.improved = true, true
	}
}

// match records which conditions of a node and of its parts a value meets. It does not panic: the
// condition of what cannot be compared does not hold.
func (m *matcher) match(n *node, v reflect.Value) {
	switch {
	case n.Dynamic != nil:
		if v.IsValid() && v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		// A dynamic type like the static one means that the interface only must not be nil.
		anyType := n.Dynamic.Type == n.Type
		holds := v.IsValid() && (anyType || typeText(v.Type()) == n.Dynamic.Type)
		if m.note(n, holds) && !anyType {
			m.match(n.Dynamic, v)
		}
	case n.Lit == "nil":
		m.note(n, !v.IsValid() || nilable(v) && v.IsNil())
	case !v.IsValid():
	case n.Lit != "":
		m.note(n, equals(n.Lit, v))
	case n.Ref != nil:
		m.reference(n, v)
	default:
		m.parts(n, v)
	}
}

// reference compares a value with a reference to an object. The first value that is compared with
// an object stands for it; values for other references to the object must be equal.
func (m *matcher) reference(n *node, v reflect.Value) {
	isNil := !nilable(v) || v.IsNil()
	if isNil || *n.Ref >= len(m.goal.Objects) || v.Kind() == reflect.Interface {
		return
	}
	at, known := m.seen[*n.Ref]
	if known {
		m.note(n, v.Pointer() == at)
		return
	}
	m.seen[*n.Ref] = v.Pointer()
	sameLen := v.Kind() != reflect.Slice || n.Len == nil || int64(v.Len()) == *n.Len
	if !m.note(n, sameLen) {
		return
	}
	o := &m.goal.Objects[*n.Ref]
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if o.Lit != "" || o.Ref != nil || o.Dynamic != nil {
		m.match(o, v)
		return
	}
	m.parts(o, v)
}

// parts compares the fields or elements of a value.
func (m *matcher) parts(n *node, v reflect.Value) {
	for i := range n.Fields {
		f := &n.Fields[i]
		if v.Kind() == reflect.Struct {
			if part := v.FieldByName(f.Name); part.IsValid() {
				m.match(&f.node, part)
			}
		}
	}
	for i := range n.Elems {
		e := &n.Elems[i]
		switch v.Kind() {
		case reflect.Slice, reflect.Array:
			if e.Index >= 0 && e.Index < int64(v.Len()) {
				m.match(&e.Value, v.Index(int(e.Index)))
			}
		case reflect.Map:
			if e.Key == nil {
				continue
			}
			for _, k := range v.MapKeys() {
				if equals(e.Key.Lit, k) {
					m.note(e.Key, true)
					m.match(&e.Value, v.MapIndex(k))
					break
				}
			}
		}
	}
}

// nilable reports whether v.IsNil may be called.
func nilable(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.UnsafePointer, reflect.Slice, reflect.Map, reflect.Chan,
		reflect.Func, reflect.Interface:
		return true
	}
	return false
}

// equals reports whether a value equals a literal of a document, which is Go source.
func equals(lit string, v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(v.Bool()) == lit
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10) == lit
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Uintptr:
		return strconv.FormatUint(v.Uint(), 10) == lit
	case reflect.Float32, reflect.Float64:
		x, err := strconv.ParseFloat(lit, 64)
		return err == nil && x == v.Float() || lit == "math.NaN()" && v.Float() != v.Float()
	case reflect.String:
		s, err := strconv.Unquote(lit)
		return err == nil && s == v.String()
	case reflect.Func:
		return lit == "func" && !v.IsNil()
	case reflect.Interface:
		return v.Elem().IsValid() && equals(lit, v.Elem())
	}
	return false
}

// typeText returns a type as the documents write it, with full import paths.
func typeText(t reflect.Type) string {
	switch k := t.Kind(); {
	case t.PkgPath() != "":
		return t.PkgPath() + "." + t.Name()
	case t.Name() != "":
		return t.Name()
	case k == reflect.Pointer, k == reflect.Slice, k == reflect.Array:
		operator := strings.TrimSuffix(t.String(), t.Elem().String())
		return operator + typeText(t.Elem())
	case k == reflect.Map:
		return "map[" + typeText(t.Key()) + "]" + typeText(t.Elem())
	}
	return strings.ReplaceAll(t.String(), "interface {}", "any")
}
