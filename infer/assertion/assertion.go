package assertion

import (
	"bytes"
	"embed"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"dsd/infer/instrument"
	"dsd/internal/overlay"
	"dsd/internal/source"
	"dsd/schemas"
)

// Dir is the directory of the package check in the overlay, below the module's root. The pattern ./... leaves it
// out.
const Dir = "_dsd_assertions"

// DefaultTag is the build tag by default.
const DefaultTag = "assertions"

//go:embed check/check.go check/count.go check/evaluate.go check/table.go
var checkFiles embed.FS

// Mode is what happens when an invariant is violated.
type Mode string

const (
	// Log prints a line by package log for the first violation of an invariant, and for the 10th, 100th
	// and so on.
	Log Mode = "log"
	// Panic panics with that text.
	Panic Mode = "panic"
	// Count adds up the violations in the map "dsd" of package expvar.
	Count Mode = "count"
)

// Modes are all modes.
var Modes = []Mode{Log, Panic, Count}

// Options are the options of Rewrite.
type Options struct {
	// IDs are those of the invariants to check; empty stands for all that check assumes.
	IDs []string
	// Func limits them to functions whose names contain it.
	Func string
	// Mode is what a violation does.
	Mode Mode
	// Tag is the build tag that turns the assertions on.
	Tag string
}

// Result is the outcome of Rewrite.
type Result struct {
	// Files are the rewritten and added files, by path relative to prog.Dir.
	Files map[string][]byte
	// Checked counts the invariants that are checked, and Funcs the functions in which they are.
	Checked, Funcs int
	// LeftOut are the invariants that are not checked, named by their IDs, with the reasons, in the
	// document's order.
	LeftOut []schemas.LeftOut
}

// Rewrite returns an overlay of the program that checks invariants of a document at the entries and
// exits of functions in prog.Packages. The program is not changed. The cost is linear in the size of
// the source and of the document.
//
// Errors: an ID that the document does not have.
func Rewrite(prog *source.Program, doc *schemas.Invariants, opt Options) (*Result, error) {
	r := &rewriter{prog: prog, res: &Result{Files: map[string][]byte{}}, byFunc: map[string][]selected{}}
	if err := r.choose(doc, opt); err != nil {
		return nil, err
	}
	for _, pkg := range prog.Packages {
		r.rewritePackage(pkg)
	}
	for _, list := range r.byFunc { // of functions that were not found
		for _, s := range list {
			r.leaveOut(s, "it belongs to an interface, or to a function that these packages do not have")
		}
	}
	r.addCheck(opt)
	slices.SortStableFunc(r.res.LeftOut, func(a, b schemas.LeftOut) int { return numberOf(a.Name) - numberOf(b.Name) })
	return r.res, nil
}

// numberOf returns the number in an ID: 12 of I12.
func numberOf(id string) int {
	n, _ := strconv.Atoi(strings.TrimLeft(id, "I"))
	return n
}

// selected is an invariant to check, and where.
type selected struct {
	fn  string
	at  schemas.At
	inv *schemas.Invariant
}

// assertion is an invariant that is checked. The code refers to it by its index.
type assertion struct {
	selected
	vars []string // whose values Violated is given
}

// rewriter is the state of Rewrite.
type rewriter struct {
	prog *source.Program
	res  *Result
	// byFunc has what to check in functions that were not rewritten yet.
	byFunc  map[string][]selected
	checked []assertion
}

// choose fills byFunc.
func (r *rewriter) choose(doc *schemas.Invariants, opt Options) error {
	missing := map[string]bool{}
	for _, id := range opt.IDs {
		missing[id] = true
	}
	for i := range doc.Points {
		p := &doc.Points[i]
		for _, inv := range slices.Concat(p.Invariants, p.Ambitious) {
			s := selected{p.Func, p.At, &inv}
			if len(opt.IDs) > 0 {
				if !missing[inv.ID] {
					continue
				}
				delete(missing, inv.ID)
			} else if !inv.Assumed || p.At == schemas.AtType || p.At == schemas.AtPanic {
				continue // those of types are also among those of their methods
			}
			switch {
			case !strings.Contains(p.Func, opt.Func):
			case p.At != schemas.AtEntry && p.At != schemas.AtExit:
				r.leaveOut(s, "only entries and exits of functions are checked")
			default:
				r.byFunc[p.Func] = append(r.byFunc[p.Func], s)
			}
		}
	}
	for _, id := range opt.IDs {
		if missing[id] {
			return fmt.Errorf("no invariant has the ID %s", id)
		}
	}
	return nil
}

func (r *rewriter) leaveOut(s selected, reason string) {
	r.res.LeftOut = append(r.res.LeftOut, schemas.LeftOut{Name: s.inv.ID, Reason: reason})
}

// Names that the code uses in files of the testee.
const (
	prefix    = "_dsd_"
	checkName = "_dsd_as"
)

// rewritePackage adds the assertions to the files of a package.
func (r *rewriter) rewritePackage(pkg *source.Package) {
	funcs := map[*ast.FuncDecl]*source.Func{}
	for _, f := range pkg.Funcs() {
		funcs[f.Decl] = f
	}
	for i, file := range pkg.Files {
		var e overlay.Edits
		before := r.res.Checked
		for _, d := range file.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || funcs[fd] == nil || len(r.byFunc[funcs[fd].Name]) == 0 {
				continue
			}
			f := funcs[fd]
			list := r.byFunc[f.Name]
			delete(r.byFunc, f.Name)
			reason := source.Uninstrumentable(fd)
			if bytes.Contains(pkg.Sources[i], []byte(prefix)) {
				reason = "the file uses names that begin with " + prefix
			} else if pkg.CgoError != "" {
				reason = "cgo could not process the package"
			}
			if reason == "" {
				reason = r.function(&e, pkg, f, list)
			}
			if reason != "" {
				for _, s := range list {
					r.leaveOut(s, reason)
				}
			}
		}
		if r.res.Checked > before {
			_, importPath := r.prog.Generated(Dir)
			e.Insert(r.offset(file.Name.End()), fmt.Sprintf("; import %s %q", checkName, importPath))
			r.res.Files[r.rel(pkg.Filenames[i])] = e.Apply(pkg.Sources[i])
		}
	}
}

// offset returns the byte offset of a position in its file.
func (r *rewriter) offset(p token.Pos) int { return r.prog.Fset.PositionFor(p, false).Offset }

// rel returns the name of a file relative to the program's directory, with slashes.
func (r *rewriter) rel(name string) string {
	rel, err := filepath.Rel(r.prog.Dir, name)
	if err != nil {
		return name
	}
	return filepath.ToSlash(rel)
}

// predeclared are the names that the code needs in their usual meaning.
var predeclared = []string{"bool", "cap", "float64", "int64", "len", "nil", "string", "true", "false", "uint64"}

// function adds the assertions to a function. If it returns a reason, it has added none.
func (r *rewriter) function(e *overlay.Edits, pkg *source.Package, f *source.Func, list []selected) (reason string) {
	scope := pkg.Info.Scopes[f.Decl.Type]
	for _, name := range predeclared {
		if _, obj := scope.LookupParent(name, token.NoPos); obj == nil || obj.Parent() != types.Universe {
			return "the function sees another meaning of " + name
		}
	}
	sig := f.Obj.Signature()
	names := instrument.ResultIdents(sig.Results())
	t := newTranslator(pkg.Types, sig, names)
	var entry, exit strings.Builder
	checked := r.res.Checked
	for _, s := range list {
		t.begin(s.at)
		cond, err := t.condition(s.inv)
		if err != nil {
			r.leaveOut(s, err.Error())
			continue
		}
		vars, values := t.used()
		call := fmt.Sprintf("%s.Violated(%d%s)", checkName, len(r.checked), values)
		if s.at == schemas.AtExit {
			fmt.Fprintf(&exit, "if %s && %s.Returning() { %s }; ", cond.violated(), checkName, call)
		} else {
			fmt.Fprintf(&entry, "if %s { %s }; ", cond.violated(), call)
		}
		r.checked = append(r.checked, assertion{s, vars})
		r.res.Checked++
	}
	if r.res.Checked == checked {
		return ""
	}
	r.res.Funcs++
	code := t.entry.String() + entry.String()
	if exit.Len() > 0 {
		instrument.NameResults(e, r.offset, f.Decl.Type.Results, sig.Results())
		code = t.copies() + code + "defer func() { " + t.exit.String() + exit.String() + "}()"
	}
	e.Insert(r.offset(f.Decl.Body.Lbrace)+1, fmt.Sprintf(" if %s.On { %s };", checkName, code))
	return ""
}

// addCheck adds the package check.
func (r *rewriter) addCheck(opt Options) {
	dir, _ := r.prog.Generated(Dir)
	for _, name := range []string{"check.go", "evaluate.go"} {
		r.res.Files[dir+"/"+name] = embedded(name)
	}
	if opt.Mode == Count {
		r.res.Files[dir+"/count.go"] = embedded("count.go")
	}
	for name, on := range map[string]bool{"on.go": true, "off.go": false} {
		not := ""
		if !on {
			not = "!"
		}
		r.res.Files[dir+"/"+name] = fmt.Appendf(nil, "//go:build %s%s\n\npackage check\n\n"+
			"// On reports whether invariants are checked.\nconst On = %v\n", not, opt.Tag, on)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "package check\n\nconst mode = %q\n\nvar table = []invariant{\n", opt.Mode)
	for _, a := range r.checked {
		fmt.Fprintf(&b, "\t{%q, %q, %q, %q, %#v, 0},\n", a.inv.ID, a.fn, a.at, a.inv.Expr, a.vars)
	}
	b.WriteString("}\n")
	r.res.Files[dir+"/table.go"] = b.Bytes()
}

// embedded returns a file of the package check.
func embedded(name string) []byte {
	text, err := checkFiles.ReadFile("check/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return text
}
