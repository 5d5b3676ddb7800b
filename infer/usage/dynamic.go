package usage

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"go/ast"
	"go/types"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"dsd/internal/overlay"
	"dsd/internal/source"
)

//go:embed run/use.go
var runtimeSource []byte

// runtimeDir is the directory, below the module's root, of the virtual package that counts.
const runtimeDir = "internal/zz_dsd_use"

// rtName is what the testee's files call that package.
const rtName = "_dsd_use"

// calls are those on objects of a type.
type calls struct {
	typ   string
	names []string
	base  int // of its counts: for each call that came before, none first, one for each call
}

// Dynamic runs the tests of the packages of prog, instrumented, and learns from what they call on each object, whoever calls it
// [SEED 3.1.2]. Log is told of packages whose tests fail: what they did counts all the same.
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
	runtime := bytes.Replace(runtimeSource, []byte("const Cells = 0"), []byte(fmt.Sprintf("const Cells = %d", in.cells)), 1)
	if err := o.Add(runtimeDir+"/use.go", runtime); err != nil {
		return err
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

// instrumenter rewrites the functions that are calls on objects.
type instrumenter struct {
	prog    *source.Program
	types   []calls
	byType  map[string]int
	numbers map[*types.Func][2]int // the type, and the call, from 1 on
	cells   int
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

// rewrite instruments a file; nil if it has nothing to count.
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
			e.Insert(body, fmt.Sprintf(" %s.Call(%s, _dsd_unsafe.Pointer(%s)); ", rtName, args, recv.Name))
		} else {
			result, ok := in.name(&e, fd)
			if !ok {
				continue
			}
			e.Insert(body, fmt.Sprintf(" defer func() { %s.Made(%s, _dsd_unsafe.Pointer(%s)) }(); ", rtName, args, result))
		}
		used = true
	}
	if !used {
		return "", nil
	}
	end := in.prog.Fset.PositionFor(file.Name.End(), false).Offset
	e.Insert(end, fmt.Sprintf("; import %s %q; import _dsd_unsafe \"unsafe\"", rtName, path.Join(in.prog.Module, runtimeDir)))
	rel, err := filepath.Rel(in.prog.Dir, pkg.Filenames[i])
	if err != nil {
		return "", nil
	}
	return filepath.ToSlash(rel), e.Apply(src)
}

// name returns the name of a function's first result, and gives all of them names if they have none.
func (in *instrumenter) name(e *overlay.Edits, fd *ast.FuncDecl) (string, bool) {
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

// read adds the counts that the processes left.
func (in *instrumenter) read(l *Learner, dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "counts-*"))
	if err != nil {
		return err
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if len(data) < 8*in.cells {
			continue // it ended before it began
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
