package lower

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
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
	numbers *numbering // of the names of the objects
	// globals maps a package-level variable to its object.
	globals map[*types.Var]uint32
	// globalVars is the inverse of globals.
	globalVars map[uint32]*types.Var
	// literals maps the text of a string constant to its object, and literalText is the
	// inverse.
	literals    map[string]uint32
	literalText map[uint32]string
	// keyLiterals are the first maxKeyLiterals long constants that the testee uses as keys of maps.
	keyLiterals map[string]bool
	// longKeys numbers the constants that stand for themselves in packed keys.
	longKeys *numbering
	// panicObj is the object of the hidden variable in which recover finds its panic.
	panicObj uint32
	// outside is the object of pointers that are made of constants: their slot is the address.
	outside uint32
}

// newStaticObjects returns a struct with the two objects that are no variables.
func newStaticObjects() *staticObjects {
	so := &staticObjects{
		globals:     map[*types.Var]uint32{},
		globalVars:  map[uint32]*types.Var{},
		literals:    map[string]uint32{},
		literalText: map[uint32]string{},
		keyLiterals: map[string]bool{},
		longKeys:    newNumbering(maxLongKey),
		numbers:     newNumbering(logic.RegionFresh<<16 - logic.RegionStatic<<16 - 1),
	}
	so.panicObj, so.outside = so.static("panic"), so.static("outside")
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

// maxLongKey is the largest number of a long constant: there are three bytes for it.
const maxLongKey = 1<<24 - 1

// LongKey returns the constant with that number in packed keys; ok is false if there is none.
func (so *staticObjects) LongKey(n uint64) (s string, ok bool) {
	s = so.longKeys.names[uint32(n)]
	return s, s != ""
}

// Global returns the object that holds a package-level variable.
func (so *staticObjects) Global(v *types.Var) uint32 {
	o, ok := so.globals[v]
	if !ok {
		name := v.Pkg().Path() + "." + v.Name()
		if v.Name() == "_" { // there may be several
			name = fmt.Sprint(name, len(so.globals))
		}
		o = so.static("variable " + name)
		so.globals[v], so.globalVars[o] = o, v
	}
	return o
}

// literal returns the object that holds the bytes of a string constant.
func (so *staticObjects) literal(s string) uint32 {
	o, ok := so.literals[s]
	if !ok {
		o = so.static("constant " + s)
		so.literals[s] = o
		so.literalText[o] = s
	}
	return o
}

// static returns the static object of that name.
func (so *staticObjects) static(name string) uint32 {
	n, _ := so.numbers.number(name)
	return logic.RegionStatic<<16 + n
}

// Literals returns the texts of the string constants by object.
func (so *staticObjects) Literals() map[uint32]string { return so.literalText }

// Globals returns the package-level variables that lowered functions mention, sorted by name.
func (so *staticObjects) Globals() []Global {
	var out []Global
	for v, o := range so.globals {
		out = append(out, Global{v, o})
	}
	SortGlobals(out)
	return out
}

// SortGlobals sorts variables by name.
func SortGlobals(list []Global) {
	slices.SortFunc(list, func(a, b Global) int {
		x, y := a.Var, b.Var
		return cmp.Or(cmp.Compare(x.Pkg().Path(), y.Pkg().Path()), cmp.Compare(x.Name(), y.Name()),
			cmp.Compare(a.Obj, b.Obj))
	})
}

// GlobalOf returns the package-level variable that an object holds, nil if there is none.
func (so *staticObjects) GlobalOf(obj uint32) *types.Var { return so.globalVars[obj] }
