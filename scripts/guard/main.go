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
	// The innermost function and statement of a list that the line is in.
	var results *ast.FieldList
	found := false
	at := 0
	lines := func(n ast.Node) (from, to int) { return fset.Position(n.Pos()).Line, fset.Position(n.End()).Line }
	list := func(stmts []ast.Stmt) {
		for _, s := range stmts {
			if from, to := lines(s); from <= line && line <= to {
				found, at = true, fset.Position(s.Pos()).Offset
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		if from, to := lines(n); line < from || line > to {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncDecl:
			results = n.Type.Results
		case *ast.FuncLit:
			results = n.Type.Results
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
