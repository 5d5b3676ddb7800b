package usage

import (
	"bytes"
	"context"
	"embed"
	"encoding/binary"
	"fmt"
	"go/ast"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"strings"

	"dsd/internal/overlay"
	"dsd/internal/source"
)

//go:embed run/use.go
var runtimeSource []byte

// mapFiles are the files of the runtime that map a file into memory.
//
//go:embed run/map_unix.go run/map_windows.go
var mapFiles embed.FS

// runtimeDir is the directory of the runtime, below the module's root.
const runtimeDir = "zz_dsd_use"

// rtName is the name of the runtime in the testee's files.
const rtName = "_dsd_use"

// calls are the calls on objects of a type. The counts of its transitions are a matrix: a row for
// "no call before" and for each call, with a column for each call that may follow.
type calls struct {
	typ   string
	names []string
	base  int // index of the matrix among all counts
}

// Dynamic learns from the calls on each object while the tests of the program's packages run
// [SEED 3.1.2]. The tests run in an instrumented copy of the module. Packages whose tests fail are
// reported to log; their calls count all the same.
func (l *Learner) Dynamic(ctx context.Context, prog *source.Program, log io.Writer) error {
	o, err := overlay.Open(prog.Dir)
	if err != nil {
		return err
	}
	defer o.Close()
	in := &instrumenter{prog: prog, byType: map[string]int{}}
	in.number()
	if in.cells == 0 {
		return nil
	}
	for _, pkg := range prog.All {
		if pkg.Cgo {
			continue
		}
		for i := range pkg.Files {
			name, text := in.rewrite(pkg, i)
			if text == nil {
				continue
			}
			if err := o.Add(name, text); err != nil {
				return err
			}
		}
	}
	cells := fmt.Sprintf("const Cells = %d", in.cells)
	runtime := bytes.Replace(runtimeSource, []byte("const Cells = 0"), []byte(cells), 1)
	runtimeAt, _ := in.prog.Generated(runtimeDir)
	if err := o.Add(runtimeAt+"/use.go", runtime); err != nil {
		return err
	}
	for _, name := range []string{"map_unix.go", "map_windows.go"} {
		text, err := mapFiles.ReadFile("run/" + name)
		if err != nil {
			return err
		}
		if err := o.Add(runtimeAt+"/"+name, text); err != nil {
			return err
		}
	}
	dir, err := os.MkdirTemp(o.Scratch, "use")
	if err != nil {
		return err
	}
	args := []string{"-count=1"}
	for _, pkg := range prog.Packages {
		args = append(args, pkg.Path)
	}
	cmd, err := o.Command(ctx, "test", args...)
	if err != nil {
		return err
	}
	cmd.Env = append(cmd.Env, "DSD_USE="+dir)
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		for _, line := range strings.Split(string(out), "\n") {
			if strings.HasPrefix(line, "FAIL\t") {
				fmt.Fprintf(log, "the tests of %s fail\n", strings.Fields(line)[1])
			}
		}
	}
	return in.read(l, dir)
}

// instrumenter rewrites the functions whose calls are counted: methods of pointers to types of the
// module, and functions whose first result is such a pointer.
type instrumenter struct {
	prog    *source.Program
	types   []calls
	byType  map[string]int         // index into types
	numbers map[*types.Func][2]int // index of the type, and number of the call, from 1
	cells   int                    // number of counts
}

// number numbers the types and their calls.
func (in *instrumenter) number() {
	in.numbers = map[*types.Func][2]int{}
	for _, pkg := range in.prog.All {
		for _, f := range pkg.Funcs() {
			sig := f.Obj.Type().(*types.Signature)
			var t types.Type
			if r := sig.Recv(); r != nil {
				t = r.Type()
			} else if sig.Results().Len() > 0 {
				t = sig.Results().At(0).Type()
			}
			if t == nil {
				continue
			}
			if _, ok := types.Unalias(t).(*types.Pointer); !ok {
				continue
			}
			name := typeOf(in.prog, t)
			if name == "" {
				continue
			}
			at, ok := in.byType[name]
			if !ok {
				at = len(in.types)
				in.byType[name] = at
				in.types = append(in.types, calls{typ: name})
			}
			in.types[at].names = append(in.types[at].names, f.Name)
			in.numbers[f.Obj] = [2]int{at, len(in.types[at].names)}
		}
	}
	for i := range in.types {
		in.types[i].base = in.cells
		n := len(in.types[i].names)
		in.cells += (n + 1) * n
	}
}

// rewrite instruments a file, and returns its name in the module and its text. The text is nil if
// there is nothing to count.
func (in *instrumenter) rewrite(pkg *source.Package, i int) (string, []byte) {
	file, src := pkg.Files[i], pkg.Sources[i]
	if strings.Contains(string(src), rtName) {
		return "", nil
	}
	offset := func(n ast.Node) int { return in.prog.Fset.PositionFor(n.Pos(), false).Offset }
	var e overlay.Edits
	used := false
	for _, d := range file.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Body == nil {
			continue
		}
		fn, _ := pkg.Info.Defs[fd.Name].(*types.Func)
		at, ok := in.numbers[fn]
		if !ok {
			continue
		}
		t := in.types[at[0]]
		args := fmt.Sprintf("%d, %d, %d, %d", at[0], t.base, len(t.names), at[1])
		body := offset(fd.Body) + 1
		if fd.Recv != nil {
			if len(fd.Recv.List) == 0 || len(fd.Recv.List[0].Names) == 0 {
				continue
			}
			recv := fd.Recv.List[0].Names[0]
			if recv.Name == "_" {
				continue
			}
			e.Insert(body, fmt.Sprintf(" %s.Call(%s, _dsd_unsafe.Pointer(%s)); ",
				rtName, args, recv.Name))
		} else {
			result, ok := in.nameResults(&e, fd)
			if !ok {
				continue
			}
			e.Insert(body, fmt.Sprintf(
				" defer func() { %s.Made(%s, _dsd_unsafe.Pointer(%s)) }(); ",
				rtName, args, result))
		}
		used = true
	}
	if !used {
		return "", nil
	}
	end := in.prog.Fset.PositionFor(file.Name.End(), false).Offset
	_, runtime := in.prog.Generated(runtimeDir)
	e.Insert(end, fmt.Sprintf("; import %s %q; import _dsd_unsafe \"unsafe\"", rtName, runtime))
	rel, err := filepath.Rel(in.prog.Dir, pkg.Filenames[i])
	if err != nil {
		return "", nil
	}
	return filepath.ToSlash(rel), e.Apply(src)
}

// nameResults returns the name of a function's first result, and reports whether it can be read. It
// gives names to the results if they have none.
func (in *instrumenter) nameResults(e *overlay.Edits, fd *ast.FuncDecl) (string, bool) {
	list := fd.Type.Results
	offset := func(n ast.Node, end bool) int {
		p := n.Pos()
		if end {
			p = n.End()
		}
		return in.prog.Fset.PositionFor(p, false).Offset
	}
	if len(list.List[0].Names) > 0 {
		name := list.List[0].Names[0].Name
		return name, name != "_"
	}
	for i, f := range list.List {
		open := fmt.Sprintf("_dsd_r%d ", i)
		if !list.Opening.IsValid() {
			open = "(" + open
		}
		e.Insert(offset(f.Type, false), open)
		if !list.Opening.IsValid() {
			e.Insert(offset(f.Type, true), ")")
		}
	}
	return "_dsd_r0", true
}

// read adds the counts from the files of the test processes.
func (in *instrumenter) read(l *Learner, dir string) error {
	files, err := filepath.Glob(filepath.Join(overlay.Literally(dir), "counts-*"))
	if err != nil {
		return err
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if len(data) < 8*in.cells {
			continue // the process ended before its counts were ready
		}
		at := func(i int) int64 { return int64(binary.NativeEndian.Uint64(data[8*i:])) }
		for _, t := range in.types {
			n := len(t.names)
			for from := range n + 1 {
				for to := range n {
					c := at(t.base + from*n + to)
					if c == 0 {
						continue
					}
					m := l.model(t.typ)
					before := ""
					if from > 0 {
						before = t.names[from-1]
					} else {
						m.sequences += c
					}
					m.transitions[[2]string{before, t.names[to]}] += c
				}
			}
		}
	}
	return nil
}
