package locate

import (
	"fmt"
	"path/filepath"
	"testing"

	"dsd/crash/stack"
	"dsd/internal/source"
	"dsd/internal/stacktrace"
	"dsd/schemas"
)

// TestFrames locates one frame each in a build of testdata/m with its dependency, and one that is
// missing.
func TestFrames(t *testing.T) {
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	build := []*source.Module{
		{Path: "example.com/m", Dir: filepath.Join(dir, "m"), Main: true},
		{Path: "gopkg.in/dep.v3", Version: "v3.1.0", Dir: filepath.Join(dir, "dep")},
		{Path: "gopkg.in/gone.v3", Version: "v3.0.0"},
		{Path: "example.org/major/v2", Version: "v2.0.0", Dir: filepath.Join(dir, "major")},
	}
	for _, tt := range []struct {
		fn, file string
		line     int
		offset   int
		want     string // module, position, Decl, Literal, Misfit
	}{
		{"example.com/m/deep.(*T[...]).Get", "/home/me/m/deep/deep.go", 9, 0,
			"example.com/m deep/deep.go:9 (*T).Get false "},
		{"example.com/m/deep.(*T[go.shape.int]).Get", "example.com/m/deep/deep.go", 9, 0,
			"example.com/m deep/deep.go:9 (*T).Get false "},
		{"example.com/m/deep.V.Half", "/m/deep/deep.go", 16, 0,
			"example.com/m deep/deep.go:16 V.Half false "},
		{"example.com/m/deep.(*V).Half", "/m/deep/deep.go", 16, 0,
			"example.com/m deep/deep.go:16 V.Half false "},
		{"example.com/m/deep.F.func1.1", "/m/deep/deep.go", 22, 0,
			"example.com/m deep/deep.go:22 F true "},
		{"example.com/m/deep.F.F.func1.func2", "/m/deep/deep.go", 22, 0,
			"example.com/m deep/deep.go:22 F true "},
		{"example.com/m/deep.F.gowrap1", "/m/deep/deep.go", 22, 0,
			"example.com/m deep/deep.go:22 F true "},
		{"example.com/m/deep.init.func1", "/m/deep/deep.go", 31, 0,
			"example.com/m deep/deep.go:31 init true "},
		{"example.com/m/deep.glob..func1", "/m/deep/deep.go", 31, 0,
			"example.com/m deep/deep.go:31 init true "},
		{"example.com/m/deep.init", "/m/deep/deep.go", 30, 0, "example.com/m deep/deep.go:30  false "},
		{"example.com/m/deep.init.0", "/m/deep/deep.go", 36, 0,
			"example.com/m deep/deep.go:36 init false "},
		{"example.com/m/deep.init.0.func1", "/m/deep/deep.go", 36, 0,
			"example.com/m deep/deep.go:36 init true "},
		{"main.main", "example.com/m/main.go", 6, 0, "example.com/m main.go:6 main false "},
		{"main.main", filepath.Join(dir, "m", "main.go"), 6, 0, "example.com/m main.go:6 main false "},
		{"main.main", "/home/me/other/main.go", 6, 0, "   false "},
		{"gopkg.in/dep%2ev3.G", "gopkg.in/dep.v3@v3.0.0/dep.go", 5, 0,
			"gopkg.in/dep.v3@v3.1.0 dep.go:5 G false "},
		{"gopkg.in/dep%2ev3.G", "C:\\Users\\me\\dep.go", 5, 0,
			"gopkg.in/dep.v3@v3.1.0 dep.go:5 G false "},
		{"gopkg.in/dep%2ev3.G", "", 0, 1, "gopkg.in/dep.v3@v3.1.0 dep.go:5 G false "},
		{"gopkg.in/dep%2ev3.G", "", 0, 0, "gopkg.in/dep.v3@v3.1.0  G false the text has no line"},
		{"gopkg.in/dep%2ev3.G", "/dep.go", 50, 0,
			"gopkg.in/dep.v3@v3.1.0  G false G is at dep.go:4 to 6 in the build: " +
				"another version, or edited lines"},
		{"gopkg.in/dep%2ev3.G", "/dep.go", 6, 0,
			`gopkg.in/dep.v3@v3.1.0  G false nothing can panic at dep.go:6 of the build, where "}" stands`},
		{"gopkg.in/dep%2ev3.G", "/renamed.go", 5, 0,
			"gopkg.in/dep.v3@v3.1.0  G false G is at dep.go:4 to 6 in the build: " +
				"another version, or edited lines"},
		{"gopkg.in/dep%2ev3.H", "/dep.go", 5, 0,
			"gopkg.in/dep.v3@v3.1.0   false the build's gopkg.in/dep.v3@v3.1.0 has no such function"},
		{"gopkg.in/dep.v3/sub.H", "/dep.go", 5, 0,
			"gopkg.in/dep.v3@v3.1.0   false the build's gopkg.in/dep.v3@v3.1.0 has no such package"},
		{"gopkg.in/gone%2ev3.H", "/gone.go", 5, 0,
			"gopkg.in/gone.v3@v3.0.0   false the files of gopkg.in/gone.v3@v3.0.0 " +
				"are not on this machine: go mod download"},
		{"example.com/m/deep.F", "/m/deep/deep.go", 25, 0,
			`example.com/m  F false nothing can panic at deep/deep.go:25 of the build, where "//" stands`},
		{"example.com/m/deep.Close", "/m/deep/deep.go", 42, 0, "example.com/m deep/deep.go:42 Close false "},
		// Without the package: by the module that the path names, or by the file's name.
		{"_.(*T).Get", "/home/me/m/deep/deep.go", 9, 0, "example.com/m deep/deep.go:9 (*T).Get false "},
		{"_.(*T).Get", "deep.go", 9, 0, "example.com/m deep/deep.go:9 (*T).Get false "},
		{"_.F.func1.1", "example.com/m/deep/deep.go", 22, 0, "example.com/m deep/deep.go:22 F true "},
		{"_._", "deep/deep.go", 9, 0, "example.com/m deep/deep.go:9 (*T).Get false "},
		{"_.G", "/go/pkg/mod/gopkg.in/dep.v3@v3.1.0/dep.go", 5, 0, "gopkg.in/dep.v3@v3.1.0 dep.go:5 G false "},
		{"_.G", "/go/pkg/mod/gopkg.in/dep.v3@v3.0.9/dep.go", 5, 0, "   false "},
		// In GOPATH, in a vendor folder there, and in a repository of that name.
		{"_.G", "/home/me/go/src/gopkg.in/dep.v3/dep.go", 5, 0, "gopkg.in/dep.v3@v3.1.0 dep.go:5 G false "},
		{"_._", "C:\\go\\src\\example.com\\app\\vendor\\gopkg.in\\dep.v3\\dep.go", 5, 0, "gopkg.in/dep.v3@v3.1.0 dep.go:5 G false "},
		{"_.H", "/src/example.org/major/v2/major.go", 4, 0, "example.org/major/v2@v2.0.0 major.go:4 H false "},
		{"_.H", "/src/example.org/major/major.go", 4, 0, "example.org/major/v2@v2.0.0 major.go:4 H false "},
		{"example.com/app/vendor/gopkg.in/dep%2ev3.G", "/src/example.com/app/vendor/gopkg.in/dep.v3/dep.go", 5, 0,
			"gopkg.in/dep.v3@v3.1.0 dep.go:5 G false "},
		{"_.None", "deep.go", 9, 0, "   false "},
		{"_.main", "main.go", 6, 0, "example.com/m main.go:6 main false "},
		{"example.org/x.F", "/x.go", 5, 0, "   false the build has no such package"},
		{"net/http.(*conn).serve", "/go/src/net/http/server.go", 5, 0, "   false "},
	} {
		p := &stack.Panic{Frames: []stacktrace.Frame{{Func: tt.fn, File: tt.file, Line: tt.line,
			Offset: tt.offset}}}
		f := Frames(build, p, nil)[0]
		module := ""
		if f.Module != nil {
			module = f.Module.Name()
		}
		if got := fmt.Sprintf("%s %s %s %v %s", module, f.Pos, f.Decl, f.Literal,
			f.Misfit); got != tt.want {
			t.Errorf("%s at %s:%d:\ngot  %s\nwant %s", tt.fn, tt.file, tt.line, got, tt.want)
		}
	}
}

// TestKind: which lines of a file may raise a panic of a kind; of the frame that panicked only.
func TestKind(t *testing.T) {
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	build := []*source.Module{{Path: "example.com/m", Dir: filepath.Join(dir, "m"), Main: true}}
	get := stacktrace.Frame{Func: "example.com/m/deep.(*T[...]).Get", File: "deep.go", Line: 9} // return t.m[k]
	half := stacktrace.Frame{Func: "example.com/m/deep.V.Half", File: "deep.go", Line: 16}      // return 1 / int(v)
	f := stacktrace.Frame{Func: "example.com/m/deep.F", File: "deep.go", Line: 26}              // println()
	for _, tt := range []struct {
		frame stacktrace.Frame
		kind  schemas.Kind
		may   bool
	}{
		{get, schemas.NilDeref, true}, {get, schemas.Uncomparable, true}, {get, schemas.DivZero, false},
		{get, schemas.SliceBounds, false}, {get, schemas.ExplicitPanic, false},
		{half, schemas.DivZero, true}, {half, schemas.Index, false}, {half, schemas.Shift, false},
		{f, schemas.ExplicitPanic, true}, {f, schemas.Index, false}, {f, schemas.MakeSlice, false},
	} {
		located := Frames(build, &stack.Panic{Kind: tt.kind, Frames: []stacktrace.Frame{tt.frame, get}}, nil)
		if got := located[0].Pos.IsValid(); got != tt.may || got != (located[0].Misfit == "") {
			t.Errorf("%s at line %d: %v, misfit %q", tt.kind, tt.frame.Line, located[0].Pos, located[0].Misfit)
		}
		if !located[1].Pos.IsValid() {
			t.Errorf("the frame of a call does not fit: %s", located[1].Misfit)
		}
	}
}

// TestRepanic: the first frames are left out if they panic again with a panic of Go's runtime, which they cannot raise.
func TestRepanic(t *testing.T) {
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	build := []*source.Module{{Path: "example.com/m", Dir: filepath.Join(dir, "m"), Main: true}}
	again := stacktrace.Frame{Func: "example.com/m/deep.again", File: "deep.go", Line: 52} // panic(v)
	first := stacktrace.Frame{Func: "example.com/m/deep.First", File: "deep.go", Line: 47} // return list[0]
	for _, tt := range []struct {
		kind   schemas.Kind
		frames []stacktrace.Frame
		want   string // the first function
	}{
		{schemas.Index, []stacktrace.Frame{again, first}, "example.com/m/deep.First"},
		{schemas.Index, []stacktrace.Frame{again, again, first}, "example.com/m/deep.First"},
		{schemas.Index, []stacktrace.Frame{again}, "example.com/m/deep.again"}, // there is no other
		{schemas.Index, []stacktrace.Frame{again, {Func: "example.org/x.F"}}, "example.com/m/deep.again"},
		{schemas.NilDeref, []stacktrace.Frame{again, first}, "example.com/m/deep.First"},
		{schemas.ExplicitPanic, []stacktrace.Frame{again, first}, "example.com/m/deep.again"},
		{"", []stacktrace.Frame{again, first}, "example.com/m/deep.again"},
		{schemas.Index, []stacktrace.Frame{first, again}, "example.com/m/deep.First"},
	} {
		located := Frames(build, &stack.Panic{Kind: tt.kind, Frames: tt.frames}, nil)
		if located[0].Func != tt.want {
			t.Errorf("%s of %d frames: first %s, want %s", tt.kind, len(tt.frames), located[0].Func, tt.want)
		}
	}
}

// TestOld: the line of another version is found by its source, wherever the function and the statement are now.
func TestOld(t *testing.T) {
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	build := []*source.Module{{Path: "gopkg.in/dep.v3", Version: "v3.1.0", Dir: filepath.Join(dir, "dep")}}
	const head = "package dep\n\n// M has moved.\nfunc M() {}\n\n"
	for _, tt := range []struct {
		name, text string
		line       int
		want       string // position, misfit, what is assumed
	}{
		{"as it is", "package dep\n\n// G is a function.\nfunc G(n int) int {\n\treturn 1 / n\n}\n", 5, "dep.go:5  "},
		{"moved", head + "func G(n int) int {\n\treturn 1 / n\n}\n", 7,
			`dep.go:5  dep.go:7 of v3.0.0 is dep.go:5 of the build, by its source "return 1 / n"`},
		{"edited", head + "func G(n int) int {\n\treturn 2 / n\n}\n", 7,
			` G has "return 2 / n" at line 7 in v3.0.0, and not in the build `},
		{"another function", "package dep\n\n\n\nfunc H(n int) int { return 1 / n }\n", 5, "dep.go:5  "},
		{"not Go", "package", 5, "dep.go:5  "},
	} {
		old := func(m *source.Module, f stacktrace.Frame, file string) ([]byte, string) {
			if m != build[0] || file != "dep.go" {
				t.Errorf("%s of %s is asked for", file, m.Path)
			}
			return []byte(tt.text), "v3.0.0"
		}
		p := &stack.Panic{Frames: []stacktrace.Frame{{Func: "gopkg.in/dep%2ev3.G", File: "/home/me/dep.go", Line: tt.line}}}
		f := Frames(build, p, old)[0]
		if got := fmt.Sprintf("%s %s %s", f.Pos, f.Misfit, f.Assumed); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
