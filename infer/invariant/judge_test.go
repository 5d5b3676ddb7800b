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

// judge evaluates an invariant in a sample; "" if it holds. One that reads through a nil pointer, or behind the end of a sequence, says
// nothing.
func judge(decl schemas.TracePoint, row []string, e ast.Expr) (complaint string) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case nothing:
			complaint = ""
		case string:
			complaint = r
		default:
			panic(r)
		}
	}()
	if j := (&judgement{decl, row, map[string]*big.Int{}}); !j.holds(e) {
		return "it is false"
	}
	return ""
}

// judgement is that of one sample. A value is a *big.Int, float64, bool, string, reference or []*big.Int.
type judgement struct {
	decl schemas.TracePoint
	row  []string
	env  map[string]*big.Int // what forall says
}

type (
	reference string
	nothing   struct{}
)

// variable is the value of a declared variable, if there is one of the name; of several the one that is a sequence is meant where want is true.
func (j *judgement) variable(name string, sequences bool) (any, bool) {
	for i, v := range j.decl.Vars {
		text := j.row[i]
		if v.Name != name && ("old("+v.Name+")" != name || v.Pointer != "") || (kinds[v.Rep] == sequence) != sequences {
			continue
		}
		switch {
		case text == "-" && v.Pointer != "":
			panic(nothing{})
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

func (j *judgement) list(e ast.Expr) []*big.Int {
	if lit, ok := e.(*ast.CompositeLit); ok {
		var out []*big.Int
		for _, x := range lit.Elts {
			out = append(out, j.value(x).(*big.Int))
		}
		return out
	}
	v, ok := j.variable(types.ExprString(e), true)
	if !ok {
		panic(types.ExprString(e) + " is no sequence")
	}
	return v.([]*big.Int)
}

func (j *judgement) value(e ast.Expr) any {
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
			panic(nothing{})
		}
		return list[at.Int64()]
	case *ast.BinaryExpr:
		x, y := j.value(e.X).(*big.Int), j.value(e.Y).(*big.Int)
		return map[token.Token]func(x, y *big.Int) *big.Int{token.ADD: new(big.Int).Add, token.SUB: new(big.Int).Sub, token.MUL: new(big.Int).Mul,
			token.REM: new(big.Int).Rem, token.AND: new(big.Int).And, token.OR: new(big.Int).Or, token.XOR: new(big.Int).Xor, token.AND_NOT: new(big.Int).AndNot}[e.Op](x, y)
	case *ast.CallExpr:
		return j.call(e)
	}
	panic(name + " is nothing that is known")
}

func (j *judgement) call(e *ast.CallExpr) any {
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
	panic(types.ExprString(e) + " is nothing that is known")
}

func asFloat(x any) float64 {
	if i, ok := x.(*big.Int); ok {
		f, _ := new(big.Float).SetInt(i).Float64()
		return f
	}
	return x.(float64)
}

func related(c int, op token.Token) bool {
	return map[token.Token]bool{token.EQL: c == 0, token.NEQ: c != 0, token.LSS: c < 0, token.LEQ: c <= 0, token.GTR: c > 0, token.GEQ: c >= 0}[op]
}

func (j *judgement) holds(e ast.Expr) bool {
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
			return related(a.Cmp(b), e.Op)
		case f:
			return related(cmp.Compare(asFloat(x), asFloat(y)), e.Op)
		}
		if s, ok := x.(string); ok && e.Op != token.EQL && e.Op != token.NEQ {
			return related(strings.Compare(s, y.(string)), e.Op)
		}
		return (x == y) == (e.Op == token.EQL)
	}
	return j.value(e).(bool)
}

// predicate evaluates those that invariants have besides Go's.
func (j *judgement) predicate(name string, args []ast.Expr) bool {
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
			if !j.holdsOrNothing(args[1]) {
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
		return len(list(0)) == 0 || strings.Contains(fmt.Sprint(list(1), " "), strings.Trim(fmt.Sprint(list(0)), "[]"))
	case "reverse":
		l := list(0)
		slices.Reverse(l)
		return slices.Equal(l, list(1))
	}
	panic(name + " is nothing that is known")
}

// holdsOrNothing says that a condition on elements holds, or that there are no such elements.
func (j *judgement) holdsOrNothing(e ast.Expr) (ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, is := r.(nothing); !is {
				panic(r)
			}
			ok = true
		}
	}()
	return j.holds(e)
}
