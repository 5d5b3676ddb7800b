//go:build go1.21

package keep

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"sort"
	"strings"
	"time"
	"unsafe"
)

// The settings of the program, set as it is built.
var (
	// Module is the path of the main module, and Go its version of the language.
	Module, Go string
	// Label is the user's, and Mode what Depth is called.
	Label, Mode string
	// File is where the document goes, unless the environment says otherwise.
	File string
	// at are the functions where panics are recovered that are to be recorded.
	at = map[string]bool{}
	// Chance is the file for the text of the first crash, "" if the calls are kept already.
	Chance string
	// Moved are directories of copied modules, and what stands for them.
	Moved [][2]string
)

// At adds a function where panics are recovered that are to be recorded.
func At(symbol string) { at[symbol] = true }

// Variable is the environment variable that says which file to write, with the number of the process in place of PID.
const Variable = "DSD_RECORD"

// OutcomeSuffix is that of the file in which the runtime writes what ended the program, beside its first recording.
const OutcomeSuffix = ".outcome"

// Recording is the document; see the schema.
type Recording struct {
	Schema  string  `json:"schema"`
	Module  module  `json:"module"`
	Label   string  `json:"label,omitempty"`
	Copy    string  `json:"copy"`
	Build   build   `json:"build"`
	Crashes []crash `json:"crashes"`
}

type module struct {
	Path string `json:"path"`
	Go   string `json:"go,omitempty"`
}

type build struct {
	Go      string   `json:"go"`
	OS      string   `json:"os"`
	Arch    string   `json:"arch"`
	Main    string   `json:"main,omitempty"`
	Modules []string `json:"modules,omitempty"`
	Command []string `json:"command,omitempty"`
}

// crash is a panic, and the calls that it passed.
type crash struct {
	ID      string  `json:"id"`
	Panic   string  `json:"panic"`
	Value   *Node   `json:"value,omitempty"`
	Ended   string  `json:"ended"`
	Frames  []frame `json:"frames"`
	Objects []Node  `json:"objects"`
	Types   []*Type `json:"types,omitempty"`
	Lost    []loss  `json:"lost,omitempty"`
}

type loss struct {
	Reason string `json:"reason"`
	Count  int    `json:"count"`
}

// frame is one of the stack, with the values of the call if it was recorded.
type frame struct {
	Symbol   string   `json:"symbol"`
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Func     string   `json:"func,omitempty"`
	TypeArgs []string `json:"type_args,omitempty"`
	Receiver *Input   `json:"receiver,omitempty"`
	Params   []Input  `json:"params,omitempty"`
	Globals  []Input  `json:"globals,omitempty"`
}

// maxCrashes is how many crashes a process writes, and maxUnsettled how many of them may be such that it still may recover from: if it
// ends, it is by one of the last.
const (
	maxCrashes   = 1000
	maxUnsettled = 8
)

// settle is after how long a program that still runs is taken to have recovered from a panic.
const settle = 2 * time.Second

// written counts the crashes, recovered those at places that the user named, and unsettled are the files of the last of the others.
var (
	written, recovered int
	unsettled          []string
)

// write writes a panic that has left all functions that are recorded, as a document of its own: what is told once takes up no memory
// any more. mu is held.
func write(p *passing) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // others may be writing what is read
	name := target(written + 1)
	if recovered >= maxCrashes || name == "" {
		return
	}
	c, ok := p.whole()
	for more := 2; !ok && more > 0; more-- {
		c, ok = p.whole()
	}
	if !ok {
		return
	}
	c.ID = "R1"
	for _, f := range p.stack[p.next:] {
		if at[f.Function] {
			c.Ended = "at " + f.Function
		}
	}
	if err := save(name, &c); err != nil {
		fmt.Fprintln(os.Stderr, "the recording cannot be written:", err)
		return
	}
	written++
	if c.Ended != "" {
		recovered++
		return
	}
	outcome(target(1) + OutcomeSuffix)
	if unsettled = append(unsettled, name); len(unsettled) > maxUnsettled {
		os.Remove(unsettled[0])
		unsettled = unsettled[1:]
	}
	time.AfterFunc(settle, func() { os.Remove(name) }) // nobody asked for panics that are recovered from
}

// ChanceVariable is the environment variable that says so in place of Chance.
const ChanceVariable = "DSD_CHANCE"

// Start begins, once the settings are there.
func Start() {
	if Chance == "" {
		return
	}
	if name := os.Getenv(ChanceVariable); name != "" {
		Chance = strings.ReplaceAll(name, "PID", fmt.Sprint(os.Getpid()))
	}
	watch(Chance)
}

// target is the file that the n-th crash goes to: the numbers from 2 on stand before the extensions.
func target(n int) string {
	name := os.Getenv(Variable)
	if name == "" {
		name = File
	}
	name = strings.ReplaceAll(name, "PID", fmt.Sprint(os.Getpid()))
	if n == 1 || name == "" {
		return name
	}
	dir, base := filepath.Split(name)
	stem, rest, _ := strings.Cut(base, ".")
	if rest != "" {
		rest = "." + rest
	}
	return fmt.Sprintf("%s%s-%d%s", dir, stem, n, rest)
}

// save writes a document, whole or not at all.
func save(name string, c *crash) error {
	d := Recording{Schema: "dsd/recording/v1", Module: module{Module, Go}, Label: Label, Copy: Mode, Crashes: []crash{*c},
		Build: build{Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, Command: os.Args}}
	if info, ok := debug.ReadBuildInfo(); ok {
		d.Build.Main = info.Path
		for _, m := range info.Deps {
			d.Build.Modules = append(d.Build.Modules, m.Path+"@"+m.Version)
		}
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(&d); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(out.Bytes())
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// whole is the panic as the document has it; false if what others were writing could not be read.
func (p *passing) whole() (c crash, ok bool) {
	defer func() { ok = recover() == nil }()
	return p.crash(), true
}

// crash is the panic as the document has it.
func (p *passing) crash() crash {
	c := crash{Frames: []frame{}, Objects: []Node{}}
	for _, f := range p.stack {
		c.Frames = append(c.Frames, frame{Symbol: f.Function, File: moved(f.File), Line: f.Line})
	}
	// Frames share objects, unless each saw other values in them.
	types, lost := map[string]*Type{}, map[string]int{}
	own := false
	for _, call := range p.calls {
		own = own || call.saved != nil
	}
	if own {
		p.tell(&c, nil, true, types, lost)
		for i := range p.calls {
			p.tell(&c, p.calls[i:i+1], false, types, lost)
		}
	} else {
		p.tell(&c, p.calls, true, types, lost)
	}
	for _, t := range types {
		c.Types = append(c.Types, t)
	}
	sort.Slice(c.Types, func(i, j int) bool { return c.Types[i].Type < c.Types[j].Type })
	for why, n := range lost {
		c.Lost = append(c.Lost, loss{why, n})
	}
	sort.Slice(c.Lost, func(i, j int) bool { return c.Lost[i].Reason < c.Lost[j].Reason })
	if p == fatal {
		c.Panic = p.text
		return c
	}
	text := p.text
	if i := words.FindStringIndex(text); i != nil { // what comes before is ours
		head, _, _ := strings.Cut(text, "\n")
		text = head + "\n" + text[i[0]:]
	}
	what := "(unknown)"
	if p.known {
		what = message(p.value)
	}
	c.Panic = "panic: " + what + "\n\n" + moved(text)
	return c
}

// tell adds the values of calls, and that of the panic, as one graph.
func (p *passing) tell(c *crash, calls []call, value bool, types map[string]*Type, lost map[string]int) {
	g := newGraph()
	g.objects, g.types, g.lost = c.Objects, types, lost
	g.saved = map[place]reflect.Value{}
	panicked := reflect.New(reflect.TypeOf((*any)(nil)).Elem()).Elem()
	if value && p.known && p.value != nil {
		panicked.Set(reflect.ValueOf(p.value))
		g.look(panicked)
	}
	roots := make([][]reflect.Value, len(calls))
	for i, call := range calls {
		for j := 0; j+1 < len(call.saved); j += 2 {
			at := root(call.saved[j])
			g.saved[place{unsafe.Pointer(at.UnsafeAddr()), at.Type()}] = root(call.saved[j+1])
		}
		for _, a := range call.args {
			v := root(a)
			roots[i] = append(roots[i], v)
			g.look(v)
		}
		for _, name := range funcs[call.fn].Globals {
			if v, ok := globals[name]; ok {
				g.look(v.Elem())
			}
		}
	}
	g.arrange()
	if value && p.known {
		n := g.node(panicked)
		c.Value = &n
	}
	for i, call := range calls {
		f := &c.Frames[call.frame]
		fn := &funcs[call.fn]
		f.Func, f.Params = fn.Name, []Input{}
		for _, t := range call.types {
			f.TypeArgs = append(f.TypeArgs, typeText(t))
		}
		for j, v := range roots[i] {
			in := Input{fn.Inputs[j], g.node(v)}
			if j == 0 && fn.Receiver {
				f.Receiver = &in
			} else {
				f.Params = append(f.Params, in)
			}
		}
		for _, name := range fn.Globals {
			if v, ok := globals[name]; ok {
				f.Globals = append(f.Globals, Input{name, g.node(v.Elem())})
			}
		}
	}
	c.Objects = g.objects
}

// root is an argument as a value that can be read. It is given as a pointer to it.
func root(p any) reflect.Value { return reflect.ValueOf(p).Elem() }

// moved is a text with the directories of copied modules as what they stand for.
func moved(text string) string {
	for _, m := range Moved {
		text = strings.ReplaceAll(text, m[0], m[1])
	}
	return text
}
