package lower

import (
	"go/ast"
	"go/types"
	"math"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/schemas"
)

// Memories are typed: a value that is written as one type is not found when it is read as another.
// The most common use of package unsafe is exact: reading a variable as another type of the same
// layout. Other uses are reported as a limit, or unsupported.

// A word is a part of a value in the memory of the machine.
type word struct {
	at, size int64 // in bytes
	kind     wordKind
	leaves   int        // the number of its scalars
	elem     types.Type // of a pointer, if it is known
}

// A wordKind says what a word holds.
type wordKind byte

const (
	pointerWord wordKind = 'p'
	stringWord  wordKind = 's' // the pointer in a string
	mapWord     wordKind = 'm' // a map or channel
	intWord     wordKind = 'i'
	floatWord   wordKind = 'f'
	boolWord    wordKind = 'b'
	otherWord   wordKind = '?' // compatible with nothing
)

// words returns the parts of a value of type t that is at an offset in memory.
func (em *emitter) words(t types.Type, at int64) []word {
	sizes := em.w.prog.Sizes
	ptr := sizes.Sizeof(types.Typ[types.Uintptr])
	pointer := func(elem types.Type) word {
		return word{at: at, size: ptr, kind: pointerWord, leaves: 2, elem: elem}
	}
	integer := func(i int64) word {
		return word{at: at + i*ptr, size: ptr, kind: intWord, leaves: 1}
	}
	number := func(kind wordKind) []word {
		return []word{{at: at, size: sizes.Sizeof(t), kind: kind, leaves: 1}}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case u.Kind() == types.UnsafePointer:
			return []word{pointer(nil)}
		case info&types.IsString != 0:
			text := pointer(nil)
			text.kind = stringWord
			return []word{text, integer(1)}
		case info&types.IsInteger != 0:
			return number(intWord)
		case info&types.IsFloat != 0:
			return number(floatWord)
		case info&types.IsBoolean != 0:
			return number(boolWord)
		}
	case *types.Pointer:
		return []word{pointer(u.Elem())}
	case *types.Slice:
		return []word{pointer(u.Elem()), integer(1), integer(2)}
	case *types.Map, *types.Chan:
		return number(mapWord)
	case *types.Struct:
		var fields []*types.Var
		for f := range u.Fields() {
			fields = append(fields, f)
		}
		var out []word
		for i, offset := range sizes.Offsetsof(fields) {
			out = append(out, em.words(fields[i].Type(), at+offset)...)
		}
		return out
	}
	return []word{{at: at, size: sizes.Sizeof(t), kind: otherWord, leaves: len(em.w.Layout(t))}}
}

// compatible reports whether f can be read as w: they are of one kind, or one is the pointer of a
// string and the other points to its bytes, or the bits of a float are read as an integer.
func (f word) compatible(w word) bool {
	if f.at != w.at || f.size != w.size || f.leaves != w.leaves {
		return false
	}
	return f.kind == w.kind && w.kind != otherWord || isText(f, w) || isText(w, f) ||
		f.kind == floatWord && w.kind == intWord
}

// reinterpret lowers *(*T)(unsafe.Pointer(p)) exactly if the words of T are compatible with the
// first words of the type that p points to. It reports false for any other expression.
//
// Scalars are used as they are, with two exceptions: the bits of a float become an integer, and a
// string and a slice of bytes become copies of each other.
func (l *lowerer) reinterpret(e *ast.StarExpr, t types.Type) (Value, bool) {
	outer, p := l.conversionOf(e.X)
	if outer == nil || pointee(l.typeOf(outer)) == nil {
		return Value{}, false
	}
	inner, p := l.conversionOf(p)
	if inner == nil || !isUnsafePointer(l.typeOf(inner)) || pointee(l.typeOf(p)) == nil {
		return Value{}, false
	}
	from, to := l.words(pointee(l.typeOf(p)), 0), l.words(t, 0)
	if len(from) < len(to) {
		return Value{}, false
	}
	for i, w := range to {
		if !from[i].compatible(w) {
			return Value{}, false
		}
	}
	v := l.load(l.deref(l.expr(p), compilerPos(p)))
	out := Value{Type: t}
	at := 0
	for i, w := range to {
		part := v.Leaves[at : at+w.leaves]
		f := from[i]
		switch {
		case f.kind == floatWord && w.kind == intWord:
			bits := l.b.FConv(logic.OpFBits, logic.BV(int(8*w.size)), part[0])
			part = []*logic.Term{bits}
		case f.kind != w.kind && i+1 < len(to):
			part = l.copyText(part, v.Leaves[at+2], f.kind == stringWord)
		case f.kind != w.kind:
			l.noteLimit(boundReinterpreted)
		}
		out.Leaves = append(out.Leaves, part...)
		at += f.leaves
	}
	return out, true
}

// isText reports whether s is the pointer of a string and p a pointer that may point to bytes.
func isText(s, p word) bool {
	if s.kind != stringWord || p.kind != pointerWord {
		return false
	}
	return p.elem == nil || isByte(p.elem)
}

// isByte reports whether the underlying type of t is byte.
func isByte(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Uint8
}

// copyText returns the object and slot of a copy of n bytes: those of a string as elements of a
// slice, or the other way round. It is exact unless the program writes to one of them.
func (em *emitter) copyText(ptr []*logic.Term, n *logic.Term, fromString bool) []*logic.Term {
	bytes, text := em.byteMemory(types.Typ[types.Uint8]), em.w.StringBytes()
	to, from := text, bytes
	if fromString {
		to, from = bytes, text
	}
	obj, zero := em.newObject(), em.slot0()
	em.assign(to, em.b.Copy(em.b.Var(to), obj, zero, n, em.b.Var(from), ptr[0], ptr[1]))
	return []*logic.Term{obj, zero}
}

// isUnsafePointer reports whether the underlying type of t is unsafe.Pointer.
func isUnsafePointer(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}

// convertPointer converts v to or from unsafe.Pointer. An address as an integer may be any number up to
// the largest address, but it is 0 if and only if v is nil. What an integer as an address points to is
// not known; for a constant at least the address is.
func (em *emitter) convertPointer(v Value, t types.Type) Value {
	if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
		n := em.unknown("address", "the address of a variable", t)
		zero := em.b.Eq(n.Leaves[0], em.zeroLeaf(n.Leaves[0].Sort))
		em.axiom(em.b.Eq(zero, em.b.Eq(v.Leaves[0], em.nilObj())))
		em.axiom(em.b.Cmp(logic.OpULt, em.toInt(n), em.int(em.maxAlloc())))
		return n
	}
	if len(v.Leaves) == 1 {
		if at, ok := v.Leaves[0].Const(); ok && at != 0 {
			em.noteLimit(boundReinterpreted)
			return tuple(t, em.b.Const(logic.Obj, uint64(em.w.outside)), em.b.Const(logic.Slot, at))
		}
		return em.anyPointer(em.b.Not(em.b.Eq(v.Leaves[0], em.zeroLeaf(v.Leaves[0].Sort))), t)
	}
	if len(v.Leaves) != 2 || len(em.w.Layout(t)) != 2 {
		panic(unsupportedf("a conversion of %s to %s", v.Type, t))
	}
	if !isUnsafePointer(t) {
		em.noteLimit(boundReinterpreted)
	}
	return Value{t, v.Leaves}
}

// anyPointer returns a pointer of type t to anything, also a part of a known object, or nil if notNil is
// false.
func (em *emitter) anyPointer(notNil *logic.Term, t types.Type) Value {
	em.noteLimit(boundReinterpreted)
	vars := []*logic.Var{{Name: "pointer#obj", Sort: logic.Obj}, {Name: "pointer#slot", Sort: logic.Slot}}
	for _, v := range vars {
		em.addVar(v)
	}
	em.emit(&ir.Havoc{Vars: vars, Unknown: "what unsafe.Pointer points to"})
	p := em.valueOf(t, vars)
	em.axiom(em.b.Eq(em.b.Eq(p.Leaves[0], em.nilObj()), em.b.Not(notNil)))
	return p
}

// layoutOf returns the size or the alignment of an operand's type or, for Offsetof, where the field that
// it selects begins in the last variable on the way.
func (l *lowerer) layoutOf(name string, arg ast.Expr) int64 {
	sizes := l.w.prog.Sizes
	sel, _ := ast.Unparen(arg).(*ast.SelectorExpr)
	switch {
	case name == "Sizeof":
		return sizes.Sizeof(l.typeOf(arg))
	case name == "Alignof":
		return sizes.Alignof(l.typeOf(arg))
	case sel == nil:
		panic(unsupportedf("unsafe.%s", name))
	}
	_, index, _ := types.LookupFieldOrMethod(l.typeOf(sel.X), true, l.pkg.Types, sel.Sel.Name)
	t, at := l.typeOf(sel.X), int64(0)
	for _, i := range index {
		if p := pointee(t); p != nil {
			t, at = p, 0
		}
		s, ok := t.Underlying().(*types.Struct)
		if !ok {
			panic(unsupportedf("unsafe.%s", name))
		}
		var fields []*types.Var
		for f := range s.Fields() {
			fields = append(fields, f)
		}
		at += sizes.Offsetsof(fields)[i]
		t = fields[i].Type()
	}
	return at
}

// unsafeCall lowers calls of those functions of package unsafe that are not constant. Elements are
// shared by Slice and SliceData, and copied by String and StringData.
func (l *lowerer) unsafeCall(e *ast.CallExpr, name string, t types.Type) Value {
	arg := func(i int) Value { return l.snapshot(l.expr(e.Args[i])) }
	length := func(p Value) *logic.Term {
		n := l.temp(l.toInt(l.sizeExpr(e.Args[1])))
		some := l.b.Not(l.b.Eq(p.Leaves[0], l.nilObj()))
		size := l.w.prog.Sizes.Sizeof(p.Type.Underlying().(*types.Pointer).Elem())
		// last is the length with which the end is past the largest address.
		last, highest := l.maxElems(0), uint64(math.MaxUint64)>>(64-l.w.wordBits)
		if l.w.wordBits == 64 { // addresses are low
			highest -= uint64(l.maxAlloc())
		}
		if size > 1 {
			last = min(last, int64(highest/uint64(size)))
		}
		// above are the bytes from an address on that is a constant.
		outside := l.b.Eq(p.Leaves[0], l.b.Const(logic.Obj, uint64(l.w.outside)))
		end := l.b.Const(logic.Slot, uint64(1)<<l.w.wordBits) // 0 if that is 64
		above := l.b.Sub(end, p.Leaves[1])
		fits := l.b.Cmp(logic.OpULe, l.b.Mul(n, l.int(size)), above)
		valid := l.b.And(l.b.Cmp(logic.OpSLe, l.int(0), n), l.b.Cmp(logic.OpSLe, n, l.int(last)),
			l.b.Or(l.b.Eq(n, l.int(0)), l.b.And(some, l.b.Or(l.b.Not(outside), fits))))
		l.assert(valid, schemas.SliceBounds, e.Pos(), "the length of unsafe.%s is out of range, or its "+
			"pointer is nil", name)
		return n
	}
	switch name {
	case "Add":
		p, n := arg(0), l.toInt(arg(1))
		stays := l.b.Eq(n, l.int(0))
		notNil := l.b.Or(l.b.Not(stays), l.b.Not(l.b.Eq(p.Leaves[0], l.nilObj())))
		return l.choose(stays, p, l.anyPointer(notNil, t))
	case "Slice":
		p := arg(0)
		n := length(p)
		return Value{t, append(append([]*logic.Term{}, p.Leaves...), n, n)}
	case "SliceData":
		return Value{t, arg(0).Leaves[:2]}
	case "String":
		p := l.snapshot(l.exprTo(e.Args[0], types.NewPointer(types.Typ[types.Byte]))) // may be a bare nil
		n := length(p)
		return Value{t, append(l.copyText(p.Leaves, n, false), n)}
	case "StringData":
		s := arg(0)
		p := Value{t, l.copyText(s.Leaves[:2], s.Leaves[2], true)}
		return l.choose(l.b.Eq(s.Leaves[2], l.int(0)), l.zero(t), p)
	case "Sizeof", "Alignof", "Offsetof": // of a type that depends on a type parameter
		return tuple(t, l.b.Const(logic.BV(l.w.wordBits), uint64(l.layoutOf(name, e.Args[0]))))
	}
	panic(unsupportedf("unsafe.%s", name))
}
