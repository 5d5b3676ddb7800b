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

// OutcomeSuffix is that of the file in which the runtime writes what ended the program, beside the recording.
const OutcomeSuffix = ".outcome"

// Recording is the document; see the schema.
type Recording struct {
	Schema  string  `json:"schema"`
	Module  module  `json:"module"`
	Label   string  `json:"label,omitempty"`
	Copy    string  `json:"copy"`
	Build   build   `json:"build"`
	Crashes []crash `json:"crashes"`
	// More counts the crashes that there was no room for.
	More int `json:"more,omitempty"`
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
	seq     int
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

// maxCrashes is how many crashes a process keeps.
const maxCrashes = 100

// settle is after how long a program that still runs is taken to have recovered from a panic.
const settle = 2 * time.Second

var (
	document Recording
	sequence int
)

// write writes a panic that has left all functions that are recorded. mu is held.
func write(p *passing) {
	if len(document.Crashes) >= maxCrashes {
		document.More++
		return
	}
	c := p.crash()
	sequence++
	c.seq, c.ID = sequence, fmt.Sprintf("R%d", sequence)
	for _, f := range p.stack[p.next:] {
		if at[f.Function] {
			c.Ended = "at " + f.Function
		}
	}
	document.Crashes = append(document.Crashes, c)
	save()
	outcome(target())
	if c.Ended != "" {
		return
	}
	time.AfterFunc(settle, func() { // nobody asked for panics that are recovered from
		mu.Lock()
		defer mu.Unlock()
		for i := range document.Crashes {
			if document.Crashes[i].seq == c.seq {
				document.Crashes = append(document.Crashes[:i:i], document.Crashes[i+1:]...)
				save()
				return
			}
		}
	})
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

// target is the file that the document goes to.
func target() string {
	file := os.Getenv(Variable)
	if file == "" {
		file = File
	}
	return strings.ReplaceAll(file, "PID", fmt.Sprint(os.Getpid()))
}

// save writes the document, whole or not at all; without crashes there is none.
func save() {
	name := target()
	if name == "" {
		return
	}
	if len(document.Crashes) == 0 {
		os.Remove(name)
		return
	}
	document.Schema, document.Module, document.Label, document.Copy = "dsd/recording/v1", module{Module, Go}, Label, Mode
	document.Build = build{Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, Command: os.Args}
	if info, ok := debug.ReadBuildInfo(); ok {
		document.Build.Main = info.Path
		for _, d := range info.Deps {
			document.Build.Modules = append(document.Build.Modules, d.Path+"@"+d.Version)
		}
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(&document); err != nil {
		fmt.Fprintln(os.Stderr, "the recording cannot be written:", err)
		return
	}
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err == nil {
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
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "the recording cannot be written:", err)
	}
}

// crash is the panic as the document has it.
func (p *passing) crash() crash {
	c := crash{Frames: []frame{}}
	g := newGraph()
	value := reflect.New(reflect.TypeOf((*any)(nil)).Elem()).Elem()
	if p.known && p.value != nil {
		value.Set(reflect.ValueOf(p.value))
		g.look(value)
	}
	roots := make([][]reflect.Value, len(p.calls))
	for i, call := range p.calls {
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
	if p.known {
		n := g.node(value)
		c.Value = &n
	}
	for _, f := range p.stack {
		c.Frames = append(c.Frames, frame{Symbol: f.Function, File: moved(f.File), Line: f.Line})
	}
	for i, call := range p.calls {
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
	for _, t := range g.types {
		c.Types = append(c.Types, t)
	}
	sort.Slice(c.Types, func(i, j int) bool { return c.Types[i].Type < c.Types[j].Type })
	for why, n := range g.lost {
		c.Lost = append(c.Lost, loss{why, n})
	}
	sort.Slice(c.Lost, func(i, j int) bool { return c.Lost[i].Reason < c.Lost[j].Reason })
	if c.Objects == nil {
		c.Objects = []Node{}
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

// root is an argument as a value that can be read. It is given as a pointer to it.
func root(p any) reflect.Value { return reflect.ValueOf(p).Elem() }

// moved is a text with the directories of copied modules as what they stand for.
func moved(text string) string {
	for _, m := range Moved {
		text = strings.ReplaceAll(text, m[0], m[1])
	}
	return text
}
