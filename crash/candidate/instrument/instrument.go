package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"dsd/crash/maporder"
	"dsd/internal/overlay"
	"dsd/internal/source"
)

// RuntimeDir is the directory, below the module's root, of the virtual package that executes
// candidates.
const RuntimeDir = "zz_dsd_run"

// RuntimeName is the name under which rewritten files import that package. A file that contains the
// name already is not rewritten.
const RuntimeName = "_dsd_run"

// rtName is RuntimeName, short for the templates of this package.
const rtName = RuntimeName

// Options say what to insert besides coverage.
type Options struct {
	// Root is the directory that the module is compiled in: the testee's, or that of its copy.
	Root string
	// Reset makes the initialization of package-level variables repeatable.
	Reset bool
	// Preconditions are evaluated at the entries of their functions.
	Preconditions Preconditions
	// Frames are the frames of stacks that are to be reproduced. Their functions report how near
	// a candidate comes.
	Frames []TargetFrame
	// Guards lets the functions whose errors leave those of the frames report, too.
	Guards bool
	// Dynamic is a dynamic type, as the runtime prints it: the frames' panic is about a value of it. "" if it is not known.
	Dynamic string
}

// Testee is a rewritten testee.
type Testee struct {
	// Files are the changed files, by names relative to the module's root.
	Files map[string][]byte
	// Blocks is the number of blocks that report their execution; they are numbered from 0 on.
	Blocks int
	// Steps are, for each of the frames and for the guards after these, what has to happen on the way to its line, in
	// order and in Go.
	Steps [][]string
	// Numbers are the numbers of the functions with preconditions, by name, from 1 on.
	Numbers map[string]int
}

// Rewrite rewrites pkg and the packages of the same module that it imports, however indirectly.
func Rewrite(prog *source.Program, pkg *source.Package, opt Options) *Testee {
	needed := prog.WithImports(pkg)
	var found *guards
	if opt.Guards {
		found = findGuards(prog, needed, opt)
		opt.Frames = found.frames
	}
	var made map[ast.Node]bool
	if opt.Dynamic != "" {
		made = conversions(needed, opt.Dynamic)
	}
	out := &Testee{
		Files:   map[string][]byte{},
		Steps:   make([][]string, len(opt.Frames)),
		Numbers: opt.Preconditions.numbers(),
	}
	repeated := map[*types.Package]bool{} // those that are initialized again
	setters := map[*types.Func]bool{}     // functions that change variables of these
	for _, p := range needed {
		if p.Cgo {
			continue
		}
		r := &rewriter{
			prog: prog, pkg: p, opt: opt, out: out, guards: found, first: out.Blocks,
			pre: opt.Preconditions, numbers: out.Numbers,
			funcs:   map[*ast.FuncDecl]*source.Func{},
			mutable: &mutable{}, made: made,
			exits: make([]overlay.Edits, len(p.Files)),
		}
		for _, f := range p.Funcs() {
			r.funcs[f.Decl] = f
		}
		if opt.Reset {
			r.setters = setters
			r.setsOthers = setsOthers(p, repeated, setters)
			r.mutable = findMutable(prog, p, r.setsOthers)
			r.repeats = r.setsOthers || len(r.mutable.vars) > 0
			if repeated[p.Types] = r.repeats; r.repeats {
				addSetters(setters, p, r.mutable.sites)
			}
		}
		r.rewrite()
	}
	return out
}

// rewriter rewrites one package.
type rewriter struct {
	prog    *source.Program
	pkg     *source.Package
	opt     Options
	out     *Testee
	pre     Preconditions
	numbers map[string]int
	guards  *guards           // nil if they are not followed
	first   int               // the number of the package's first block
	made    map[ast.Node]bool // the blocks in which a value of Options.Dynamic becomes that of an interface
	mutable *mutable
	// repeats reports whether the package is initialized again between candidates, and
	// setsOthers whether that is because it sets variables of other packages.
	repeats, setsOthers bool
	setters             map[*types.Func]bool // of the packages before, see addSetters
	funcs               map[*ast.FuncDecl]*source.Func
	// exits replace, file by file, the calls that end the process or recover from panics. They are apart
	// from the other edits because reset copies initializers and must apply them to the copies, too.
	exits []overlay.Edits
}

func (r *rewriter) rewrite() {
	edits := make([]overlay.Edits, len(r.pkg.Files))
	used := make([]bool, len(r.pkg.Files)) // the files that need the runtime
	for i, file := range r.pkg.Files {
		if strings.Contains(string(r.pkg.Sources[i]), rtName) {
			continue
		}
		exits, recovers := r.replaceExits(&r.exits[i], file), r.noteRecovers(&r.exits[i], file)
		used[i] = exits || recovers
		ranges := false
		for _, d := range file.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil && !restricted(fd) {
				if maporder.Ranges(&edits[i], r.prog, r.pkg, i, fd.Body) {
					ranges = true
				}
				r.function(&edits[i], fd)
				used[i] = true
			}
		}
		if ranges {
			maporder.Import(&edits[i], r.prog, file)
		}
	}
	if r.repeats {
		r.reset(edits, used)
	}
	declared := r.out.Blocks == r.first // nothing is to be declared
	for i, file := range r.pkg.Files {
		if !used[i] {
			continue
		}
		_, runtime := r.prog.Generated(RuntimeDir)
		edits[i].Insert(r.offset(file.Name.End()),
			fmt.Sprintf("; import %s %q", rtName, runtime))
		end := len(r.pkg.Sources[i])
		edits[i].Insert(end, fmt.Sprintf("\nvar _ = %s.OutOfPasses\n", rtName))
		if !declared {
			declared = true
			edits[i].Insert(end, fmt.Sprintf("\nvar %[1]s [%[2]d]bool\n\nvar _ = %[3]s.Blocks(%[4]d, %[1]s[:])\n",
				seenName, r.out.Blocks-r.first, rtName, r.first))
		}
		edits[i].Add(&r.exits[i])
		r.out.Files[r.rel(r.pkg.Filenames[i])] = edits[i].Apply(r.pkg.Sources[i])
	}
}

// function instruments one function.
func (r *rewriter) function(e *overlay.Edits, fd *ast.FuncDecl) {
	if f := r.funcs[fd]; f != nil && r.numbers[f.Name] > 0 {
		r.judge(e, f, r.pre[f.Name], r.numbers[f.Name])
	}
	var here []int // the frames of the function
	for n, frame := range r.opt.Frames {
		if frame.Func != nil && frame.Func.Decl == fd {
			here = append(here, n)
		}
	}
	for _, n := range here {
		r.out.Steps[n] = r.follow(e, n, r.opt.Frames[n], len(here) == 1)
	}
	r.cover(e, fd.Body)
}

func (r *rewriter) offset(p token.Pos) int { return r.prog.Fset.PositionFor(p, false).Offset }

// rel returns a file name relative to the testee's root, with slashes.
func (r *rewriter) rel(name string) string {
	rel, err := filepath.Rel(r.prog.Dir, name)
	if err != nil {
		return name
	}
	return filepath.ToSlash(rel)
}

// restricted reports whether a function has a directive that forbids inserting calls.
func restricted(fd *ast.FuncDecl) bool {
	if fd.Doc == nil {
		return false
	}
	directives := []string{"//go:nosplit", "//go:linkname", "//go:systemstack",
		"//go:nowritebarrier"}
	for _, c := range fd.Doc.List {
		for _, d := range directives {
			if strings.HasPrefix(c.Text, d) {
				return true
			}
		}
	}
	return false
}
