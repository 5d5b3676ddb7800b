package lower

import (
	"go/types"
	"sort"

	"dsd/check/logic"
)

// A Global is a package-level variable and its object.
type Global struct {
	Var *types.Var
	Obj uint32
}

// staticObjects numbers the objects that exist before the testee runs: those of package-level
// variables and of string constants.
type staticObjects struct {
	statics uint32 // the number of objects so far
	// globals maps a package-level variable to its object.
	globals map[*types.Var]uint32
	// literals maps the text of a string constant to its object, and literalText is the
	// inverse.
	literals    map[string]uint32
	literalText map[uint32]string
	// keyLiterals are the first maxKeyLiterals long constants that the testee uses as keys of maps.
	keyLiterals map[string]bool
	// panicObj is the object of the hidden variable in which recover finds its panic.
	panicObj uint32
	// outside is the object of pointers that are made of constants: their slot is the address.
	outside uint32
}

// newStaticObjects returns a struct with the two objects that are no variables.
func newStaticObjects() *staticObjects {
	so := &staticObjects{
		globals:     map[*types.Var]uint32{},
		literals:    map[string]uint32{},
		literalText: map[uint32]string{},
		keyLiterals: map[string]bool{},
	}
	so.panicObj, so.outside = so.static(), so.static()
	return so
}

// maxKeyLiterals is the number of constant keys with which a long key that is not constant is compared.
const maxKeyLiterals = 24

// longLiterals returns the constant keys that are longer than n bytes, sorted.
func (so *staticObjects) longLiterals(n int) []string {
	var out []string
	for s := range so.keyLiterals {
		if len(s) > n {
			out = append(out, s)
		}
	}
	sort.Strings(out)
	return out
}

// addKeyLiteral adds a constant key, if its bytes may not fit into a packed key.
func (so *staticObjects) addKeyLiteral(s string) {
	if len(s) >= stringKeyBytes(DynamicKeyBits(64)) && len(so.keyLiterals) < maxKeyLiterals {
		so.keyLiterals[s] = true
	}
}

// Global returns the object that holds a package-level variable.
func (so *staticObjects) Global(v *types.Var) uint32 {
	o, ok := so.globals[v]
	if !ok {
		o = so.static()
		so.globals[v] = o
	}
	return o
}

// literal returns the object that holds the bytes of a string constant.
func (so *staticObjects) literal(s string) uint32 {
	o, ok := so.literals[s]
	if !ok {
		o = so.static()
		so.literals[s] = o
		so.literalText[o] = s
	}
	return o
}

// static returns a new static object.
func (so *staticObjects) static() uint32 {
	so.statics++
	return logic.RegionStatic<<16 + so.statics
}

// Literals returns the texts of the string constants by object.
func (so *staticObjects) Literals() map[uint32]string { return so.literalText }

// Globals returns the package-level variables that lowered functions mention, sorted by object.
func (so *staticObjects) Globals() []Global {
	var out []Global
	for v, o := range so.globals {
		out = append(out, Global{v, o})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Obj < out[j].Obj })
	return out
}
