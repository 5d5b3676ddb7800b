package logic

import (
	"fmt"
)

// Sort is the sort of a term.
type Sort struct {
	Kind SortKind
	Elem SortKind // kind of the values of a Memory
	bits uint8
}

// Bits returns the width of a BV or Float, or of the values of a Memory.
func (s Sort) Bits() int { return int(s.bits) }

// SortKind is the kind of a sort.
type SortKind uint8

const (
	KBool SortKind = iota
	KBV
	KFloat
	KMemory // (object: 32 bits, slot: 64 bits) -> value
)

// Common sorts.
var (
	Bool = Sort{Kind: KBool}
	Obj  = BV(32) // the identity of an object; 0 is nil
	Slot = BV(64) // an index in an object, or a key of a map
	Int  = BV(64)
)

// BV returns the sort of integers of that many bits.
func BV(bits int) Sort { return Sort{Kind: KBV, bits: uint8(bits)} }

// Float returns the sort of IEEE numbers of 32 or 64 bits.
func Float(bits int) Sort { return Sort{Kind: KFloat, bits: uint8(bits)} }

// Memory returns the sort of memories whose values have sort s.
func Memory(s Sort) Sort { return Sort{Kind: KMemory, bits: s.bits, Elem: s.Kind} }

// Value returns the sort of the values of a memory.
func (s Sort) Value() Sort { return Sort{Kind: s.Elem, bits: s.bits} }

// Op is the operator of a term.
type Op uint8

// Operators. The arguments a, b, c and d are Args[0] to Args[3]. No operator can fail: a partial
// operation has the value that SMT-LIB defines (x/0 is all ones), and lowering asserts Go's
// conditions beforehand.
const (
	OpConst  Op = iota // Val: a boolean (0, 1), the bits of an integer, or the bits of an IEEE number
	OpVar              // Var
	OpSelect           // the initial contents of memory Var at (a, b)

	OpNot
	OpAnd // n-ary, sorted by ID, no duplicates
	OpOr  // likewise
	OpEq
	OpIte // b if a, otherwise c

	OpAdd
	OpMul
	OpUDiv
	OpURem
	OpSDiv // truncates towards zero, as Go does
	OpSRem
	OpBAnd
	OpBOr
	OpBXor
	OpShl // shifts have an amount of the same width; past the width the result is 0, or the sign
	OpLShr
	OpAShr
	OpULt
	OpULe
	OpSLt
	OpSLe
	OpExtract // bits Hi down to Lo of a
	OpZExt
	OpSExt

	OpFAdd // rounds to nearest even, as all float operations do
	OpFSub
	OpFMul
	OpFDiv
	OpFNeg
	OpFLt
	OpFLe
	OpFEq
	OpFFromS // signed integer to float
	OpFFromU
	OpFToS // float to signed integer, towards zero
	OpFToU
	OpFToF
	OpFBits // the bits of a float, as an integer

	OpStore   // memory a with value d at (b, c)
	OpFill    // memory a with value c in every slot of object b
	OpReplace // memory a with object b taken from memory c
	OpCopy    // memory a with a range of slots copied from a memory: see Builder.Copy
)

var opNames = [...]string{
	OpConst: "const", OpVar: "var", OpSelect: "select",
	OpNot: "not", OpAnd: "and", OpOr: "or", OpEq: "=", OpIte: "ite",
	OpAdd: "bvadd", OpMul: "bvmul",
	OpUDiv: "bvudiv", OpURem: "bvurem", OpSDiv: "bvsdiv", OpSRem: "bvsrem",
	OpBAnd: "bvand", OpBOr: "bvor", OpBXor: "bvxor",
	OpShl: "bvshl", OpLShr: "bvlshr", OpAShr: "bvashr",
	OpULt: "bvult", OpULe: "bvule", OpSLt: "bvslt", OpSLe: "bvsle", OpExtract: "extract",
	OpZExt: "zero_extend", OpSExt: "sign_extend",
	OpFAdd: "fp.add RNE", OpFSub: "fp.sub RNE",
	OpFMul: "fp.mul RNE", OpFDiv: "fp.div RNE", OpFNeg: "fp.neg",
	OpFLt: "fp.lt", OpFLe: "fp.leq", OpFEq: "fp.eq", OpFFromS: "to_fp", OpFFromU: "to_fp_unsigned",
	OpFToS: "fp.to_sbv", OpFToU: "fp.to_ubv", OpFToF: "to_fp", OpFBits: "fp.bits",
	OpStore: "store", OpFill: "fill", OpReplace: "replace", OpCopy: "copy",
}

func (op Op) String() string { return opNames[op] }

// Term is a node of a shared, acyclic graph. Two terms of a Builder are equal if and only if they
// are the same pointer. An analysis makes millions: that it is small matters for the time of check.
type Term struct {
	Op     Op
	Sort   Sort
	Hi, Lo uint8 // of OpExtract
	Args   []*Term
	Val    uint64 // of OpConst
	Var    *Var   // of OpVar and OpSelect
	// ID is the number of the term in the order of construction. Arguments have smaller IDs.
	ID int
}

// Var is a variable, or the initial contents of a memory. Its identity is the pointer; Name is for
// people.
type Var struct {
	Name string
	Sort Sort
	// Index is the index among the variables of its function, or among the memories.
	Index int
	// Old marks a memory in a postcondition that means the contents before the call.
	Old bool
	// Domain describes the values of the variable, or of the memory, in well-formed program
	// states.
	Domain Domain
}

// Role is the part of a Go value that a scalar represents.
type Role uint8

const (
	RoleNone     Role = iota
	RoleObj           // object of a pointer, slice, map, channel or closure
	RoleSlot          // slot of a pointer or slice: 0, since inputs point to the start of an object
	RoleLen           // length of a slice
	RoleCap           // capacity of a slice
	RoleStrLen        // length of a string
	RoleStrObj        // object of a string
	RoleTag           // dynamic type of an interface
	RoleIfaceObj      // object inside an interface
	RoleFn            // function of a function value
	RoleMapLen        // number of entries of a map
	RoleMapHas        // presence of a key in a map
	RoleClosed        // a channel is closed
	RoleUnset         // what no input has: false
)

// Domain describes the values that a scalar takes in any well-formed program state.
type Domain struct {
	Role Role
	// Region is the upper half of the identities of the objects that a RoleObj or RoleIfaceObj
	// may be, besides nil.
	Region uint32
	// Tags are the dynamic types that a RoleTag may be, besides nil. Regions and NotNil line
	// up with it: the regions of the objects of these types, and whether the objects are never
	// nil, as those in boxes are.
	Tags, Regions []uint32
	NotNil        []bool
	// Some reports that a RoleObj or RoleTag is never that of nil.
	Some bool
	// Group holds the scalars of the same value, this one included: the object, slot, length
	// and capacity of a slice.
	Group *Group
}

// TagRuntimeError is the dynamic type of the runtime's own panics, an error. No type of the testee
// has this tag.
const TagRuntimeError = 0xfffd

// Unset is the memory of bools that are all false: what those with RoleUnset hold at the start.
var Unset = &Var{Name: "unset", Sort: Memory(Bool), Domain: Domain{Role: RoleUnset}}

// Group holds the scalars of a value, in the order of its layout.
type Group struct{ Vars []*Var }

// Of returns the group's variable with that role, or nil.
func (g *Group) Of(r Role) *Var {
	if g == nil {
		return nil
	}
	for _, v := range g.Vars {
		if v.Domain.Role == r {
			return v
		}
	}
	return nil
}

// Fresh returns copies of vars, in new groups that line up with the old ones.
func Fresh(vars []*Var) []*Var {
	groups := map[*Group]*Group{}
	out := make([]*Var, len(vars))
	for i, v := range vars {
		n := *v
		if g := v.Domain.Group; g != nil {
			ng := groups[g]
			if ng == nil {
				ng = &Group{}
				groups[g] = ng
			}
			n.Domain.Group = ng
			ng.Vars = append(ng.Vars, &n)
		}
		out[i] = &n
	}
	return out
}

// IsTrue reports whether t is the constant true.
func (t *Term) IsTrue() bool { return t.Op == OpConst && t.Sort.Kind == KBool && t.Val == 1 }

// IsFalse reports whether t is the constant false.
func (t *Term) IsFalse() bool { return t.Op == OpConst && t.Sort.Kind == KBool && t.Val == 0 }

// Const returns the value of t and reports whether t is a constant.
func (t *Term) Const() (uint64, bool) { return t.Val, t.Op == OpConst }

// String prints the whole term. It repeats shared parts, so it is only for small terms.
func (t *Term) String() string {
	switch t.Op {
	case OpConst:
		if t.Sort.Kind == KBool {
			return fmt.Sprint(t.Val == 1)
		}
		if t.Sort.Kind == KBV {
			return fmt.Sprint(Signed(t.Val, t.Sort.Bits()))
		}
		return fmt.Sprintf("%#x", t.Val)
	case OpVar:
		return t.Var.Name
	case OpSelect:
		return fmt.Sprintf("%s[%v,%v]", t.Var.Name, t.Args[0], t.Args[1])
	}
	s := "(" + t.Op.String()
	if t.Op == OpExtract {
		s += fmt.Sprintf("[%d:%d]", t.Hi, t.Lo)
	}
	for _, a := range t.Args {
		s += " " + a.String()
	}
	return s + ")"
}

// Mask returns a number whose low bits are set.
func Mask(bits int) uint64 {
	if bits >= 64 {
		return ^uint64(0)
	}
	return 1<<bits - 1
}

// Signed returns the low bits of v as a two's complement number.
func Signed(v uint64, bits int) int64 {
	shift := 64 - bits
	return int64(v<<shift) >> shift
}
