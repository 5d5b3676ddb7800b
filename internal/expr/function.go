package expr

import "go/token"

// Function describes a function that an expression may call.
type Function struct {
	Name string
	// Args is the number of arguments.
	Args int
	// Condition reports whether the result is a bool.
	Condition bool
	// Doc says what it computes, in one line.
	Doc string
}

// Functions are all functions of the language, those that compute values first.
// schemas/EXPRESSIONS.md lists the same ones.
var Functions = []Function{
	{"len", 1, false, "the length of a slice, string, map, array or channel"},
	{"cap", 1, false, "the capacity of a slice or channel"},
	{"sum", 1, false, "the sum of the elements of a slice of integers"},
	{"min", 2, false, "the smaller of two numbers"},
	{"max", 2, false, "the larger of two numbers"},
	{"gcd", 2, false, "the greatest common divisor of two integers"},
	{"typeof", 1, false,
		"the dynamic type of an interface value, as a string; nil for a nil interface"},
	{"has", 2, true, "the map has the key"},
	{"contains", 2, true, "the slice has an element that equals the value"},
	{"distinct", 1, true, "no two elements of the slice are equal"},
	{"subset", 2, true, "every element of the first slice is an element of the second"},
	{"subsequence", 2, true, "the first slice stands inside the second, its elements side by side"},
	{"reverse", 2, true, "the second slice has the elements of the first in reverse order"},
	{"slices.Equal", 2, true, "the slices have equal lengths and equal elements"},
	{"strings.HasPrefix", 2, true, "the string begins with the constant"},
	{"strings.HasSuffix", 2, true, "the string ends with the constant"},
	{"constant", 1, true, "the reference is the same one in all samples"},
}

var functions = func() map[string]*Function {
	m := map[string]*Function{}
	for i := range Functions {
		m[Functions[i].Name] = &Functions[i]
	}
	return m
}()

// FunctionOf returns the function of that name, nil if there is none.
func FunctionOf(name string) *Function { return functions[name] }

// IsComparison reports whether op is one of == != < <= > >=.
func IsComparison(op token.Token) bool {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return true
	}
	return false
}

// mirrored are the comparisons with their operands exchanged: x < y is y > x.
var mirrored = map[token.Token]token.Token{
	token.EQL: token.EQL, token.NEQ: token.NEQ,
	token.LSS: token.GTR, token.GTR: token.LSS,
	token.LEQ: token.GEQ, token.GEQ: token.LEQ,
}

// opposite are the comparisons that hold where another does not. The values are ordered: for NaN,
// neither x < y nor x >= y holds.
var opposite = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.GEQ, token.GEQ: token.LSS,
	token.GTR: token.LEQ, token.LEQ: token.GTR,
}
