package logic

import "fmt"

// Sort is the sort of a term.
type Sort struct {
	Kind SortKind
	Bits int      // of BV and Float; of a Memory's values
	Elem SortKind // of a Memory's values
}

// SortKind distinguishes the sorts.
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
	Obj  = BV(32) // an object's identity; 0 is nil
	Slot = BV(64) // a place in an object, or a key of a map
	Int  = BV(64)
)

// BV is the sort of integers of that many bits.
func BV(bits int) Sort { return Sort{Kind: KBV, Bits: bits} }

// Float is the sort of IEEE numbers of 32 or 64 bits.
func Float(bits int) Sort { return Sort{Kind: KFloat, Bits: bits} }

// Memory is the sort of memories of values of sort s.
func Memory(s Sort) Sort { return Sort{Kind: KMemory, Bits: s.Bits, Elem: s.Kind} }

// Value is the sort of the values of a memory.
func (s Sort) Value() Sort { return Sort{Kind: s.Elem, Bits: s.Bits} }

// Op is the operator of a term.
type Op uint8

// Operators. Arguments a, b, c are Args[0], Args[1], Args[2]. None can fail: partial operations have the value that
// SMT-LIB gives them (x/0 is all ones), and lowering asserts beforehand what Go demands.
const (
	OpConst  Op = iota // Val: a boolean (0, 1), the bits of an integer, or the bits of an IEEE number
	OpVar              // Var
	OpSelect           // initial contents of memory Var at (a, b)

	OpNot
	OpAnd // n-ary, sorted by ID, no duplicates
	OpOr  // likewise
	OpEq
	OpIte // if a then b else c

	OpAdd
	OpMul
	OpUDiv
	OpURem
	OpSDiv // truncates towards zero, as Go does
	OpSRem
	OpBAnd
	OpBOr
	OpBXor
	OpShl // by an amount of the same width; 0 or sign once the amount reaches the width
	OpLShr
	OpAShr
	OpULt
	OpULe
	OpSLt
	OpSLe
	OpExtract // bits Hi to Lo of a
	OpZExt
	OpSExt

	OpFAdd // round to nearest even, as all float operations
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
	OpReplace // memory a with object b as it is in memory c
	OpCopy    // memory a with slots c.. of object b as slots e.. of object d' in memory f: see Builder.Copy
)

var opNames = [...]string{
	OpConst: "const", OpVar: "var", OpSelect: "select", OpNot: "not", OpAnd: "and", OpOr: "or", OpEq: "=", OpIte: "ite",
	OpAdd: "bvadd", OpMul: "bvmul", OpUDiv: "bvudiv", OpURem: "bvurem", OpSDiv: "bvsdiv", OpSRem: "bvsrem",
	OpBAnd: "bvand", OpBOr: "bvor", OpBXor: "bvxor", OpShl: "bvshl", OpLShr: "bvlshr", OpAShr: "bvashr",
	OpULt: "bvult", OpULe: "bvule", OpSLt: "bvslt", OpSLe: "bvsle", OpExtract: "extract",
	OpZExt: "zero_extend", OpSExt: "sign_extend",
	OpFAdd: "fp.add RNE", OpFSub: "fp.sub RNE", OpFMul: "fp.mul RNE", OpFDiv: "fp.div RNE", OpFNeg: "fp.neg",
	OpFLt: "fp.lt", OpFLe: "fp.leq", OpFEq: "fp.eq", OpFFromS: "to_fp", OpFFromU: "to_fp_unsigned",
	OpFToS: "fp.to_sbv", OpFToU: "fp.to_ubv", OpFToF: "to_fp", OpFBits: "fp.bits",
	OpStore: "store", OpFill: "fill", OpReplace: "replace", OpCopy: "copy",
}

func (op Op) String() string { return opNames[op] }

// Term is a node of a shared, acyclic graph. Terms of one Builder are equal if and only if they are the same pointer.
type Term struct {
	Op     Op
	Sort   Sort
	Args   []*Term
	Val    uint64 // of OpConst
	Var    *Var   // of OpVar and OpSelect
	Hi, Lo int    // of OpExtract
	// ID numbers the terms of a Builder in the order in which they were made; arguments have smaller ones.
	ID int
}

// Var is a variable, or the initial contents of a memory. Identity is the pointer; Name is for people and the solver.
type Var struct {
	Name string
	Sort Sort
	// Index is its place among the variables of its function, or among the memories.
	Index int
	// Old marks the memory of a postcondition that stands for the contents before the call.
	Old bool
	// Domain says which values the variable (or each value of the memory) takes in a well-formed program state.
	Domain Domain
}

// Role says what a scalar is a part of.
type Role uint8

const (
	RoleNone     Role = iota
	RoleObj           // object of a pointer, slice, map, channel or closure
	RoleSlot          // slot of a pointer or slice; inputs point to the start of an object, so it is 0
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
)

// Domain is what is known of an input without looking at the program that uses it.
type Domain struct {
	Role Role
	// Region is the upper half of the identity of the objects that a RoleObj or RoleIfaceObj may be, or nil.
	Region uint32
	// Tags are the dynamic types that a RoleTag may be, besides nil; Regions those of their objects, in step, and
	// Boxes says which objects are boxes, which are never nil.
	Tags, Regions []uint32
	Boxes         []bool
	// Group are the variables of the same value, this one included: a slice's object, slot, length, capacity.
	Group *Group
}

// TagRuntimeError stands for the dynamic type of the runtime's own panics, an error; no type of the testee has it.
const TagRuntimeError = 0xfffd

// Group is a value's scalars, in the order of its layout.
type Group struct{ Vars []*Var }

// Of returns the group's variable of that role, or nil.
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

// Fresh returns new variables like vars, in groups of their own.
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

// IsTrue and IsFalse recognise the boolean constants.
func (t *Term) IsTrue() bool  { return t.Op == OpConst && t.Sort.Kind == KBool && t.Val == 1 }
func (t *Term) IsFalse() bool { return t.Op == OpConst && t.Sort.Kind == KBool && t.Val == 0 }

// Const reports the value of a constant.
func (t *Term) Const() (uint64, bool) { return t.Val, t.Op == OpConst }

// String prints a term in full; shared parts are repeated, so it is for small terms.
func (t *Term) String() string {
	switch t.Op {
	case OpConst:
		if t.Sort.Kind == KBool {
			return fmt.Sprint(t.Val == 1)
		}
		if t.Sort.Kind == KBV {
			return fmt.Sprint(signed(t.Val, t.Sort.Bits))
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

func mask(bits int) uint64 {
	if bits >= 64 {
		return ^uint64(0)
	}
	return 1<<bits - 1
}

// signed reads the low bits of v as a two's complement number.
func signed(v uint64, bits int) int64 {
	shift := 64 - bits
	return int64(v<<shift) >> shift
}
