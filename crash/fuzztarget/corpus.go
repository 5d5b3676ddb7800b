package fuzztarget

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"dsd/crash/candidate"
	"dsd/crash/search/carve"
	"dsd/internal/source"
)

// Header is the first line of a file with an input of native fuzzing.
const Header = "go test fuzz v1"

// Corpus has the fuzz targets of a package's test files with their inputs.
type Corpus struct {
	// Inputs is the number of inputs that were read, and Unread names files that are no inputs of their
	// target, with the reasons.
	Inputs int
	Unread []string

	targets []*fuzzFunc
}

// fuzzFunc is a fuzz target in a test file.
type fuzzFunc struct {
	name    string
	params  []string // their names
	types   []string // their types, as the source has them
	head    string   // the file's package clause and imports
	body    string   // of the function that f.Fuzz is given
	testing string   // the name of its first parameter
	rows    [][]string
}

// ReadCorpus reads the inputs that native fuzzing has for the targets in a package's test files: those of
// f.Add, and those in files. These are in TARGET/FILE below dir, if that is relative to the package's
// folder; or else below dir/IMPORT-PATH, as in the go command's cache, or dir/FOLDER/testdata/fuzz.
//
// Errors: dir cannot be read. What is no input is in Unread.
func ReadCorpus(prog *source.Program, pkg *source.Package, dir string) (*Corpus, error) {
	c := &Corpus{}
	for _, name := range pkg.TestFiles {
		if text, err := os.ReadFile(name); err == nil {
			c.find(name, text)
		}
	}
	dirs := []string{filepath.Join(pkg.Dir, dir)}
	if filepath.IsAbs(dir) {
		rel, err := filepath.Rel(prog.Dir, pkg.Dir)
		if err != nil {
			return nil, err
		}
		dirs = []string{filepath.Join(dir, filepath.FromSlash(pkg.Path)), filepath.Join(dir, rel, "testdata", "fuzz")}
	}
	for _, t := range c.targets {
		c.Inputs += len(t.rows)
		for _, d := range dirs {
			if err := c.read(t, filepath.Join(d, t.name)); err != nil {
				return nil, err
			}
		}
	}
	return c, nil
}

// find adds the targets of a test file.
func (c *Corpus) find(name string, text []byte) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return
	}
	at := func(p token.Pos) int { return fset.PositionFor(p, false).Offset }
	head := "package " + f.Name.Name + "\n"
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			head += string(text[at(g.Pos()):at(g.End())]) + "\n"
		}
	}
	for _, d := range f.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Recv != nil || fd.Body == nil || !strings.HasPrefix(fd.Name.Name, "Fuzz") || len(fd.Type.Params.List) != 1 {
			continue
		}
		t := &fuzzFunc{name: fd.Name.Name, head: head}
		ast.Inspect(fd.Body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			switch {
			case !ok:
			case sel.Sel.Name == "Add":
				var row []string
				for _, x := range call.Args {
					row = append(row, string(text[at(x.Pos()):at(x.End())]))
				}
				t.rows = append(t.rows, row)
			case sel.Sel.Name == "Fuzz" && len(call.Args) == 1:
				if lit, ok := call.Args[0].(*ast.FuncLit); ok {
					t.function(lit, func(n ast.Node) string { return string(text[at(n.Pos()):at(n.End())]) })
				}
			}
			return true
		})
		t.rows = slices.DeleteFunc(t.rows, func(row []string) bool { return len(row) != len(t.params) })
		for _, row := range t.rows {
			for i := range row {
				if !strings.HasPrefix(row[i], t.types[i]+"(") {
					row[i] = t.types[i] + "(" + row[i] + ")"
				}
			}
		}
		if len(t.params) > 0 {
			c.targets = append(c.targets, t)
		}
	}
}

// function sets the parameters and the body.
func (t *fuzzFunc) function(lit *ast.FuncLit, textOf func(ast.Node) string) {
	first := true
	for _, field := range lit.Type.Params.List {
		for _, id := range field.Names {
			if first {
				t.testing, first = id.Name, false
				continue
			}
			t.params = append(t.params, id.Name)
			t.types = append(t.types, textOf(field.Type))
		}
	}
	t.body = textOf(lit.Body)
}

// read adds the inputs in a directory; that there is none is no error.
func (c *Corpus) read(t *fuzzFunc, dir string) error {
	list, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return nil
	} else if err != nil {
		return err
	}
	for _, e := range list {
		if e.Type()&fs.ModeType != 0 {
			continue
		}
		name := filepath.Join(dir, e.Name())
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		row, err := parseInput(text)
		if err == nil && len(row) != len(t.params) {
			err = fmt.Errorf("it has %d values, want %d", len(row), len(t.params))
		}
		if err != nil {
			c.Unread = append(c.Unread, fmt.Sprintf("%s: %v", name, err))
			continue
		}
		t.rows = append(t.rows, row)
		c.Inputs++
	}
	return nil
}

// parseInput returns the values of an input, as Go expressions that consist of a conversion and a constant.
// The text comes from outside, so each is printed anew from what was parsed.
func parseInput(text []byte) ([]string, error) {
	lines := strings.Split(strings.TrimRight(string(text), "\r\n"), "\n")
	if strings.TrimRight(lines[0], "\r") != Header {
		return nil, fmt.Errorf("the first line is not %q", Header)
	}
	var out []string
	for _, line := range lines[1:] {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		value, err := parseValue(line)
		if err != nil {
			return nil, err
		}
		out = append(out, value)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("it has no values")
	}
	return out, nil
}

// parseValue parses int(3), []byte("x") and so on.
func parseValue(line string) (string, error) {
	bad := fmt.Errorf("%.50q is no value", line)
	e, err := parser.ParseExpr(line)
	if err != nil {
		return "", bad
	}
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return "", bad
	}
	name := types.ExprString(call.Fun)
	arg, sign := call.Args[0], ""
	if u, ok := arg.(*ast.UnaryExpr); ok && (u.Op == token.SUB || u.Op == token.ADD) {
		arg = u.X
		if u.Op == token.SUB {
			sign = "-"
		}
	}
	switch x := arg.(type) {
	case *ast.Ident:
		if name == "bool" && (x.Name == "true" || x.Name == "false") && sign == "" {
			return "bool(" + x.Name + ")", nil
		}
		return "", bad // NaN and infinite numbers are no constants
	case *ast.BasicLit:
		v := constant.MakeFromLiteral(x.Value, x.Kind, 0)
		switch name {
		case "string", "[]byte":
			if v.Kind() == constant.String && sign == "" {
				return name + "(" + strconv.Quote(constant.StringVal(v)) + ")", nil
			}
		case "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "byte", "rune":
			if n := constant.ToInt(v); n.Kind() == constant.Int {
				return name + "(" + sign + n.ExactString() + ")", nil
			}
		case "float32", "float64":
			if f := constant.ToFloat(v); f.Kind() == constant.Float || f.Kind() == constant.Int {
				n, _ := constant.Float64Val(f)
				return name + "(" + sign + strconv.FormatFloat(n, 'g', -1, 64) + ")", nil
			}
		case "math.Float32frombits", "math.Float64frombits":
			return "", bad
		}
	}
	return "", bad
}

// testPrefix begins the names of the tests in Sources: what follows is the target, "_" and a number.
const testPrefix = "zzInput"

// maxInputs bounds the inputs of a target that become candidates.
const maxInputs = 300

// Sources returns the inputs as test files that carve.Graph reads: each is a function in which variables
// with the names of the target's parameters have the values of the input, followed by the target's body.
func (c *Corpus) Sources() (out []carve.Source) {
	for _, t := range c.targets {
		var b strings.Builder
		b.WriteString(t.head)
		for i, row := range t.rows[max(0, len(t.rows)-maxInputs):] {
			fmt.Fprintf(&b, "\nfunc %s%s_%d(%s *testing.T) {\n", testPrefix, t.name, i, t.testing)
			for j, name := range t.params {
				fmt.Fprintf(&b, "\t%s := %s\n", name, row[j])
			}
			fmt.Fprintf(&b, "%s\n}\n", t.body)
		}
		out = append(out, carve.Source{Name: "zz_input_" + t.name + "_test.go", Text: b.String()})
	}
	return out
}

// Input is an input of a target, as a file.
type Input struct {
	// Target is the name of the fuzz target, and File that of the file.
	Target, File string
	Text         []byte
}

// Encode returns the inputs of the targets that kept candidates mean: those whose statements are those of
// a candidate that carve made from Sources, with other literals. Inputs that were read are left out.
func (c *Corpus) Encode(seeds []carve.Named, kept []candidate.Program, table []*candidate.Op) []Input {
	byName := map[string]*fuzzFunc{}
	for _, t := range c.targets {
		byName[t.name] = t
	}
	shapes := map[string][]*fuzzFunc{} // by skeleton
	known := map[string]bool{}
	for _, s := range seeds {
		name, isInput := strings.CutPrefix(s.Test, testPrefix)
		at := strings.LastIndexByte(name, '_')
		if !isInput || at < 0 || byName[name[:at]] == nil {
			continue
		}
		t, key := byName[name[:at]], skeleton(s.Program)
		if in, ok := t.input(s.Program, table); ok {
			known[t.name+string(in)] = true
			if !slices.Contains(shapes[key], t) {
				shapes[key] = append(shapes[key], t)
			}
		}
	}
	var out []Input
	for _, p := range kept {
		for _, t := range shapes[skeleton(p)] {
			in, ok := t.input(p, table)
			if !ok || known[t.name+string(in)] {
				continue
			}
			known[t.name+string(in)] = true
			out = append(out, Input{t.name, fmt.Sprintf("%x", sha256.Sum256(in))[:16], in})
		}
	}
	return out
}

// input returns the file of the input that a candidate means: its first literals are the parameters.
func (t *fuzzFunc) input(p candidate.Program, table []*candidate.Op) ([]byte, bool) {
	var b bytes.Buffer
	fmt.Fprintln(&b, Header)
	n := 0
	for i := range p {
		if !table[p[i].Op].Lit || n == len(t.params) {
			continue
		}
		basic := table[p[i].Op].Out[0].Underlying().(*types.Basic)
		s := &p[i]
		switch typ := t.types[n]; {
		case typ == "string" || typ == "[]byte":
			if basic.Info()&types.IsString == 0 {
				return nil, false
			}
			fmt.Fprintf(&b, "%s(%q)\n", typ, s.Text)
		case basic.Name() != typ && types.Universe.Lookup(typ) == nil:
			return nil, false
		case basic.Info()&types.IsBoolean != 0:
			fmt.Fprintf(&b, "%s(%v)\n", typ, s.Bits == 1)
		case basic.Info()&types.IsFloat != 0:
			x := math.Float64frombits(s.Bits)
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return nil, false
			}
			fmt.Fprintf(&b, "%s(%v)\n", typ, x)
		case basic.Info()&types.IsUnsigned != 0:
			fmt.Fprintf(&b, "%s(%d)\n", typ, s.Bits<<(64-candidate.BitSize(basic))>>(64-candidate.BitSize(basic)))
		case basic.Info()&types.IsInteger != 0:
			fmt.Fprintf(&b, "%s(%d)\n", typ, int64(s.Bits<<(64-candidate.BitSize(basic)))>>(64-candidate.BitSize(basic)))
		default:
			return nil, false
		}
		n++
	}
	return b.Bytes(), n == len(t.params)
}
