package invariant

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"dsd/schemas"
)

// contradiction returns why an invariant does not hold in a sample, or "" if it holds. An invariant
// that reads through a nil pointer or beyond the end of a sequence holds. The evaluator shares no
// code with package expr, whose results it checks.
func contradiction(decl schemas.TracePoint, row []string, e ast.Expr) (complaint string) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case undefined:
			complaint = ""
		case string:
			complaint = r
		default:
			panic(r)
		}
	}()
	if j := (&evaluator{decl, row, map[string]*big.Int{}}); !j.holds(e) {
		return "false"
	}
	return ""
}

// evaluator evaluates expressions in one sample. A value is a *big.Int, float64, bool, string,
// reference or []*big.Int. Methods panic with a string if an expression is not supported, and with
// undefined if it has no value.
type evaluator struct {
	decl schemas.TracePoint
	row  []string
	env  map[string]*big.Int // the variables that forall binds
}

type (
	reference string
	undefined struct{}
)

// variable returns the value of a declared variable. If two have the name, one is the sequence of
// the elements and the other the reference; sequences selects the former.
func (j *evaluator) variable(name string, sequences bool) (any, bool) {
	for i, v := range j.decl.Vars {
		text := j.row[i]
		if (kindOf(v.Rep) == sequence) != sequences {
			continue
		}
		if v.Name != name && ("old("+v.Name+")" != name || v.Pointer != "") {
			continue
		}
		switch {
		case text == "-" && v.Pointer != "":
			panic(undefined{})
		case sequences:
			var list []*big.Int
			for _, f := range strings.Fields(strings.Trim(text, "[]")) {
				x, _ := new(big.Int).SetString(f, 10)
				list = append(list, x)
			}
			return list, true
		case v.Rep == "ref" || v.Rep == "type":
			return reference(text), true
		case v.Rep == "bool":
			return text == "true", true
		case v.Rep == "string" && text[0] == '~':
			return text, true
		case v.Rep == "string":
			x, err := strconv.Unquote(text)
			if err != nil {
				panic(err.Error())
			}
			return x, true
		case v.Rep == "float":
			x, err := strconv.ParseFloat(text, 64)
			if err != nil {
				panic(err.Error())
			}
			return x, true
		}
		x, _ := new(big.Int).SetString(text, 10)
		return x, true
	}
	return nil, false
}

// list returns the elements of a sequence.
func (j *evaluator) list(e ast.Expr) []*big.Int {
	if lit, ok := e.(*ast.CompositeLit); ok {
		var out []*big.Int
		for _, x := range lit.Elts {
			out = append(out, j.value(x).(*big.Int))
		}
		return out
	}
	v, ok := j.variable(types.ExprString(e), true)
	if !ok {
		panic(types.ExprString(e) + ": not a sequence")
	}
	return v.([]*big.Int)
}

// value returns the value of an expression that is no sequence.
func (j *evaluator) value(e ast.Expr) any {
	name := types.ExprString(e)
	if v, ok := j.variable(name, false); ok {
		return v
	}
	switch e := e.(type) {
	case *ast.BasicLit:
		switch e.Kind {
		case token.INT:
			x, _ := new(big.Int).SetString(e.Value, 0)
			return x
		case token.FLOAT:
			x, _ := strconv.ParseFloat(e.Value, 64)
			return x
		case token.STRING:
			x, _ := strconv.Unquote(e.Value)
			return x
		}
	case *ast.UnaryExpr:
		if e.Op == token.SUB {
			switch x := j.value(e.X).(type) {
			case *big.Int:
				return new(big.Int).Neg(x)
			case float64:
				return -x
			}
		}
	case *ast.Ident:
		if e.Name == "nil" {
			return reference("nil")
		}
		if x, ok := j.env[e.Name]; ok {
			return x
		}
	case *ast.ParenExpr:
		return j.value(e.X)
	case *ast.IndexExpr:
		list, at := j.list(e.X), j.value(e.Index).(*big.Int)
		if !at.IsInt64() || at.Sign() < 0 || at.Int64() >= int64(len(list)) {
			panic(undefined{})
		}
		return list[at.Int64()]
	case *ast.BinaryExpr:
		x, y := j.value(e.X).(*big.Int), j.value(e.Y).(*big.Int)
		var z big.Int
		return map[token.Token]func(x, y *big.Int) *big.Int{
			token.ADD: z.Add, token.SUB: z.Sub, token.MUL: z.Mul, token.REM: z.Rem,
			token.AND: z.And, token.OR: z.Or, token.XOR: z.Xor, token.AND_NOT: z.AndNot,
		}[e.Op](x, y)
	case *ast.CallExpr:
		return j.call(e)
	}
	panic(name + ": not supported")
}

// call returns the value of a function that is no predicate.
func (j *evaluator) call(e *ast.CallExpr) any {
	switch name := types.ExprString(e.Fun); name {
	case "typeof":
		x, _ := strconv.Unquote(string(j.value(e.Args[0]).(reference)))
		return x
	case "len":
		return big.NewInt(int64(len(j.list(e.Args[0]))))
	case "sum":
		n := new(big.Int)
		for _, x := range j.list(e.Args[0]) {
			n.Add(n, x)
		}
		return n
	case "min", "max":
		x, y := j.value(e.Args[0]).(*big.Int), j.value(e.Args[1]).(*big.Int)
		if (x.Cmp(y) < 0) == (name == "min") {
			return x
		}
		return y
	case "gcd":
		x, y := j.value(e.Args[0]).(*big.Int), j.value(e.Args[1]).(*big.Int)
		return new(big.Int).GCD(nil, nil, new(big.Int).Abs(x), new(big.Int).Abs(y))
	}
	panic(types.ExprString(e) + ": not supported")
}

// asFloat converts a number.
func asFloat(x any) float64 {
	if i, ok := x.(*big.Int); ok {
		f, _ := new(big.Float).SetInt(i).Float64()
		return f
	}
	return x.(float64)
}

// compares reports whether x op y, where c is the sign of x-y.
func compares(c int, op token.Token) bool {
	return map[token.Token]bool{
		token.EQL: c == 0, token.NEQ: c != 0, token.LSS: c < 0,
		token.LEQ: c <= 0, token.GTR: c > 0, token.GEQ: c >= 0,
	}[op]
}

// holds reports whether a condition holds.
func (j *evaluator) holds(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CallExpr:
		return j.predicate(types.ExprString(e.Fun), e.Args)
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return !j.holds(e.X)
		}
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND:
			return j.holds(e.X) && j.holds(e.Y)
		case token.LOR:
			return j.holds(e.X) || j.holds(e.Y)
		}
		x, y := j.value(e.X), j.value(e.Y)
		a, ok1 := x.(*big.Int)
		b, ok2 := y.(*big.Int)
		switch _, f := x.(float64); {
		case ok1 && ok2:
			return compares(a.Cmp(b), e.Op)
		case f:
			return compares(cmp.Compare(asFloat(x), asFloat(y)), e.Op)
		}
		if s, ok := x.(string); ok && e.Op != token.EQL && e.Op != token.NEQ {
			return compares(strings.Compare(s, y.(string)), e.Op)
		}
		return (x == y) == (e.Op == token.EQL)
	}
	return j.value(e).(bool)
}

// predicate evaluates a function of type bool.
func (j *evaluator) predicate(name string, args []ast.Expr) bool {
	list := func(i int) []int64 {
		var out []int64
		for _, x := range j.list(args[i]) {
			out = append(out, x.Int64())
		}
		return out
	}
	switch name {
	case "implies":
		return !j.holds(args[0]) || j.holds(args[1])
	case "strings.HasPrefix":
		return strings.HasPrefix(j.value(args[0]).(string), j.value(args[1]).(string))
	case "strings.HasSuffix":
		return strings.HasSuffix(j.value(args[0]).(string), j.value(args[1]).(string))
	case "forall":
		for i := range 10 {
			j.env[types.ExprString(args[0])] = big.NewInt(int64(i))
			if !j.holdsOrUndefined(args[1]) {
				return false
			}
		}
		return true
	case "distinct":
		return len(slices.Compact(slices.Sorted(slices.Values(list(0))))) == len(list(0))
	case "contains":
		return slices.Contains(list(0), j.value(args[1]).(*big.Int).Int64())
	case "slices.Equal":
		return slices.Equal(list(0), list(1))
	case "subset":
		return !slices.ContainsFunc(list(0), func(x int64) bool { return !slices.Contains(list(1), x) })
	case "subsequence":
		return strings.Contains(spaced(list(1)), spaced(list(0))) || len(list(0)) == 0
	case "reverse":
		l := list(0)
		slices.Reverse(l)
		return slices.Equal(l, list(1))
	}
	panic(name + ": not supported")
}

// holdsOrUndefined reports whether a condition on elements holds or an element does not exist.
func (j *evaluator) holdsOrUndefined(e ast.Expr) (ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, is := r.(undefined); !is {
				panic(r)
			}
			ok = true
		}
	}()
	return j.holds(e)
}

// spaced returns the elements of a list, each between spaces.
func spaced(list []int64) string { return " " + strings.Trim(fmt.Sprint(list), "[]") + " " }
