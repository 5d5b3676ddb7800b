//go:build go1.21

package run

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
)

// A goal is what the arguments of a function should be: a counterexample. It is told when a call meets a condition of it for
// the first time, or as many as none before, so that such candidates are kept [STAR 4.5].

// node is a value of a counterexample, as documents write it.
type node struct {
	Type    string  `json:"type"`
	Lit     string  `json:"lit"`
	Ref     *int    `json:"ref"`
	Len     *int64  `json:"len"`
	Fields  []field `json:"fields"`
	Elems   []elem  `json:"elems"`
	Dynamic *node   `json:"dynamic"`
	number  int     // of the node's own condition in its goal
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

// goal is a goal: the nodes of the arguments, and the objects that they refer to.
type goal struct {
	Args    []node `json:"args"`
	Objects []node `json:"objects"`
	first   int    // number of its first condition among those of all goals
	size    int    // how many conditions there are
}

var goals []goal

// reached says of all goals which conditions were met by a call, and then how many of them at a time.
var reached []bool

// Goals are the goals of the table's operations, as JSON.
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

// aim tells how near the arguments of an operation are to its goals.
func (f *Frame) aim(numbers []int) {
	for _, n := range numbers {
		g := &goals[n]
		m := matcher{goal: g, seen: map[int]uintptr{}}
		for i := range g.Args {
			if i < f.N() {
				m.match(&g.Args[i], reflect.ValueOf(f.Arg(i)))
			}
		}
		if m.reach(g.size + m.met); m.nearer {
			near = append(near, n)
		}
	}
}

// near are the goals that this candidate came nearer to.
var near []int

// matcher compares arguments with a goal.
type matcher struct {
	goal *goal
	seen map[int]uintptr // where objects are
	met  int             // conditions
	// nearer says that something was met for the first time.
	nearer bool
}

func (m *matcher) note(n *node, holds bool) bool {
	if holds {
		m.met++
		m.reach(n.number)
	}
	return holds
}

func (m *matcher) reach(condition int) {
	if at := &reached[m.goal.first+condition]; !*at {
		*at, m.nearer = true, true
	}
}

// match notes what a value meets of a node. It panics for nothing: what cannot be compared is not met.
func (m *matcher) match(n *node, v reflect.Value) {
	switch {
	case n.Dynamic != nil:
		if v.IsValid() && v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		if m.note(n, v.IsValid() && (n.Dynamic.Type == n.Type || typeText(v.Type()) == n.Dynamic.Type)) && n.Dynamic.Type != n.Type {
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

// reference compares what refers to an object.
func (m *matcher) reference(n *node, v reflect.Value) {
	if !nilable(v) || v.IsNil() || *n.Ref >= len(m.goal.Objects) || v.Kind() == reflect.Interface {
		return
	}
	at, known := m.seen[*n.Ref]
	if known {
		m.note(n, v.Pointer() == at)
		return
	}
	m.seen[*n.Ref] = v.Pointer()
	if !m.note(n, v.Kind() != reflect.Slice || n.Len == nil || int64(v.Len()) == *n.Len) {
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

func nilable(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Chan, reflect.Func, reflect.Interface, reflect.UnsafePointer:
		return true
	}
	return false
}

// equals compares a value with a literal.
func equals(lit string, v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(v.Bool()) == lit
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10) == lit
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
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

// typeText is a type as documents write it, with full import paths.
func typeText(t reflect.Type) string {
	if t.Name() != "" {
		if t.PkgPath() == "" {
			return t.Name()
		}
		return t.PkgPath() + "." + t.Name()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + typeText(t.Elem())
	case reflect.Slice:
		return "[]" + typeText(t.Elem())
	case reflect.Array:
		return "[" + strconv.Itoa(t.Len()) + "]" + typeText(t.Elem())
	case reflect.Map:
		return "map[" + typeText(t.Key()) + "]" + typeText(t.Elem())
	}
	return strings.ReplaceAll(t.String(), "interface {}", "any")
}
