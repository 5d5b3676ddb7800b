package replay

import (
	"strings"
	"testing"

	"dsd/crash/record"
)

// TestMirrors: values of a program's types that are passed to a library as interfaces are replaced by values of
// types with the same methods, which return zero values, in written and in loaded inputs.
func TestMirrors(t *testing.T) {
	dir := module(t, map[string]string{
		"go.mod": "module example.com/mirrors\n\ngo 1.22\n",
		"lib/lib.go": `package lib

import "io"

type Sizer interface {
	Size(of []byte, more ...string) (n int, err error)
	Grow(n uint8)
}

type Box struct {
	S     Sizer
	W     io.Writer
	Parts int
	Data  []int
}

func (b *Box) Share(n int) int { return divide(n, b.Parts) }

func Read(r io.Reader, n int) int { return divide(n, len(Name)) }

var Name = ""

func divide(n, by int) int { return n / by }

type hidden interface{ hide() }

func Hide(h any, n int) int {
	if _, ok := h.(hidden); ok {
		return 0
	}
	return divide(n, len(Name))
}
`,
		"main.go": `package main

import (
	"os"

	"example.com/mirrors/lib"
)

type size struct {
	unit int
	Name string
}

func (s size) Size(of []byte, more ...string) (int, error) { return len(of) * s.unit, nil }
func (s size) Grow(n uint8)                                 {}

type file struct{ name string }

func (f *file) Write(p []byte) (int, error) { return 0, nil }
func (f *file) Read(p []byte) (int, error)  { return 0, nil }

func try(f func()) {
	defer func() { recover() }()
	f()
}

func numbers() (out []int) {
	for i := range 5000 {
		out = append(out, i*i)
	}
	return out
}

func main() {
	try(func() { (&lib.Box{S: size{3, "m"}, W: &file{"a"}}).Share(7) })
	try(func() { (&lib.Box{S: &size{3, "m"}, W: &file{"b"}, Data: numbers()}).Share(8) })
	try(func() { lib.Read(&file{"c"}, 1) })
	try(func() { lib.Hide(size{4, "h"}, 1) })
	os.Exit(0)
}
`,
	})
	recording := goRun(t, dir, record.Options{At: []string{"main.try"}})
	doc, err := Run(t.Context(), dir, recording, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Unreplayed) > 0 {
		t.Errorf("unreplayed: %+v", doc.Unreplayed)
	}
	sources := map[string]string{}
	for _, c := range doc.Crashes {
		name := c.Func[strings.LastIndexByte(c.Func, '.')+1:]
		sources[name] += c.Test.Source
	}
	for fn, want := range map[string][]string{
		"Share": {
			"Size) Size([]byte, ...string) (_ int, _ error) { return }", "Size) Grow(uint8) {}",
			"File) Write([]byte) (_ int, _ error) { return }",
			"methods of example.com/mirrors.size, in place of which there are some that return zero values",
			"crashLoad",
		},
		"Read": {"File) Read([]byte) (_ int, _ error) { return }"},
		"Hide": {`Size{unit: 4, Name: "h"}`},
	} {
		for _, w := range want {
			if !strings.Contains(sources[fn], w) {
				t.Errorf("no test of %s has %s:\n%s", fn, w, sources[fn])
			}
		}
	}
	if strings.Contains(sources["Hide"], "Grow") {
		t.Errorf("methods that no interface asks for:\n%s", sources["Hide"])
	}
}
