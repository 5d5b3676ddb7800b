// Guard writes a statement before a line of a Go file that leaves its function there, with zero results: the
// guard against a panic that a mend would be, for trying the tests of crash keep.
//
//	guard FILE LINE
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
)

func main() {
	if err := guard(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "guard:", err)
		os.Exit(1)
	}
}

func guard(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("want a file and a line")
	}
	line, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	src, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, args[0], src, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	// The innermost statement of a list that the line is in, and the results of its function. A function literal may
	// begin on the line, and have no statement there.
	var results *ast.FieldList
	found := false
	at := 0
	var funcs []*ast.FuncType // around the node, innermost last
	var nodes []ast.Node      // likewise
	lines := func(n ast.Node) (from, to int) { return fset.Position(n.Pos()).Line, fset.Position(n.End()).Line }
	list := func(stmts []ast.Stmt) {
		for _, s := range stmts {
			if from, to := lines(s); from <= line && line <= to {
				found, at, results = true, fset.Position(s.Pos()).Offset, funcs[len(funcs)-1].Results
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			switch nodes[len(nodes)-1].(type) {
			case *ast.FuncDecl, *ast.FuncLit:
				funcs = funcs[:len(funcs)-1]
			}
			nodes = nodes[:len(nodes)-1]
			return false
		}
		if from, to := lines(n); line < from || line > to {
			return false
		}
		nodes = append(nodes, n)
		switch n := n.(type) {
		case *ast.FuncDecl:
			funcs = append(funcs, n.Type)
		case *ast.FuncLit:
			funcs = append(funcs, n.Type)
		case *ast.BlockStmt:
			list(n.List)
		case *ast.CaseClause:
			list(n.Body)
		case *ast.CommClause:
			list(n.Body)
		}
		return true
	})
	if !found {
		return fmt.Errorf("%s:%d is in no function", args[0], line)
	}
	var values []string
	if results != nil {
		for _, f := range results.List {
			t := string(src[fset.Position(f.Type.Pos()).Offset:fset.Position(f.Type.End()).Offset])
			for range max(len(f.Names), 1) {
				values = append(values, "*new("+t+")")
			}
		}
	}
	text := "if true { return " + strings.Join(values, ", ") + " }\n"
	return os.WriteFile(args[0], append(src[:at:at], append([]byte(text), src[at:]...)...), 0o666)
}
