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

// The settings of the program, set in the generated file table.go.
var (
	// Module is the path of the main module, and Go the language version of its go.mod.
	Module, Go string
	// Label is the user's label for the recording, and Mode the name of the copying mode.
	Label, Mode string
	// File is the name of the document, unless Variable is set. PID in it stands for the
	// process id.
	File string
	// FirstCrash is the file for the text of the first crash in the second-chance mode. It is
	// empty when calls are recorded.
	FirstCrash string
	// MaxSize is the number of bytes of a document, 0 for any, and Last that of panics in functions that At added
	// which are kept, the last ones; 0 for maxCrashes, the first ones.
	MaxSize, Last int
	// Origins are the directories of copied modules, each with the name of its module.
	Origins [][2]string
	// at are the functions where the user wants recovered panics recorded.
	at = map[string]bool{}
)

// At adds a function where the user wants recovered panics recorded, as stack traces name it.
func At(symbol string) { at[symbol] = true }

const (
	// Variable is the environment variable with the name of the document, as File.
	Variable = "DSD_RECORD"
	// FirstCrashVariable is the environment variable that overrides FirstCrash if that is set.
	FirstCrashVariable = "DSD_CHANCE"
	// OutcomeSuffix is appended to the name of the first document; the file of that name has
	// the text of what ended the program.
	OutcomeSuffix = ".outcome"
	// WholeSuffix is appended to the value of Variable; the file of that name is removed when a document cannot be
	// written: on a full disk that is still possible.
	WholeSuffix = ".whole"
)

const (
	// maxCrashes bounds the panics that a process writes, unless only the last ones are kept.
	maxCrashes = 1000
	// leastValues is the number of values from which a document is not made smaller.
	leastValues = 16
	// maxUnsettled bounds the files of panics that the program may still recover from. If one
	// of its panics ends it, that is one of the last.
	maxUnsettled = 8
	// settle is the time after which a program that still runs must have recovered from a
	// panic.
	settle = 2 * time.Second
	// retries is how often a panic is read again if reading it failed.
	retries = 2
)

var (
	written   int      // documents
	recovered int      // documents of panics in functions that At added
	kept      []string // the files of these, oldest first, if only the last ones are kept
	unsettled []string // the files of the last other panics, oldest first
)

// Start begins the recording, once the settings are there.
func Start() {
	if FirstCrash == "" {
		return
	}
	if name := os.Getenv(FirstCrashVariable); name != "" {
		FirstCrash = strings.ReplaceAll(name, "PID", fmt.Sprint(os.Getpid()))
	}
	if switches != nil {
		startRunning()
		return
	}
	watch(FirstCrash)
}

// write writes a panic that has left the outermost recorded function. Each panic becomes a document
// of its own, so that none takes up memory afterwards. The caller holds mu.
func write(p *unwinding) {
	// Other goroutines may be writing what is read.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	if p.name != "" { // once more, with more calls
		if text, _ := p.encode(); text != nil {
			save(p.name, text)
		}
		return
	}
	name := fileName(written + 1)
	if Last == 0 && recovered >= maxCrashes || name == "" || p.aborts() {
		return
	}
	text, ended := p.encode()
	if text == nil {
		return
	}
	if err := save(name, text); err != nil {
		lost(err)
		return
	}
	written++
	p.name = name
	if ended != "" {
		recovered++
		if kept = append(kept, name); Last > 0 && len(kept) > Last {
			os.Remove(kept[0])
			kept = kept[1:]
		}
		return
	}
	watchEnd(fileName(1) + OutcomeSuffix)
	if unsettled = append(unsettled, name); len(unsettled) > maxUnsettled {
		os.Remove(unsettled[0])
		unsettled = unsettled[1:]
	}
	// A panic that the program recovered from is not wanted.
	time.AfterFunc(settle, func() { os.Remove(name) })
}

// lost prints why a document cannot be written, and removes the file with WholeSuffix, so that package record knows.
func lost(err error) {
	fmt.Fprintln(os.Stderr, "the recording cannot be written:", err)
	if name := os.Getenv(Variable); name != "" {
		os.Remove(name + WholeSuffix)
	}
}

// fileName returns the name of the n-th document, n >= 1. From the second one on, -n stands before
// the extensions.
func fileName(n int) string {
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

// aborts reports whether the panic is the one with which a handler of net/http ends a request.
func (p *unwinding) aborts() bool {
	err, ok := p.value.(error)
	return p.known && ok && reflect.TypeOf(err).String() == "*errors.errorString" && err.Error() == abort
}

// abort is the text of net/http.ErrAbortHandler; a program without that package does not get it from here.
const abort = "net/http: abort Handler"

// encode returns the document of the panic, with fewer values the larger it would be than MaxSize, and how the panic
// ended; nil if the panic cannot be read.
func (p *unwinding) encode() (text []byte, ended string) {
	encoder.Store(goroutine())
	defer encoder.Store("")
	values, bytes := MaxValues, MaxBytes
	defer func() { MaxValues, MaxBytes = values, bytes }()
	for {
		c, ok := p.tryDocument()
		for n := 0; !ok && n < retries; n++ {
			c, ok = p.tryDocument()
		}
		if !ok {
			return nil, ""
		}
		c.ID = "R1"
		if p.here != "" {
			c.Ended = "at " + p.here
		}
		for _, f := range p.stack[p.next:] {
			if at[f.Function] && p != fatal {
				c.Ended = "at " + f.Function
			}
		}
		out, err := encode(&c)
		if err != nil {
			return nil, ""
		}
		if MaxSize <= 0 || len(out) <= MaxSize || MaxValues <= leastValues {
			return out, c.Ended
		}
		MaxValues, MaxBytes = max(MaxValues/2, leastValues), MaxBytes/2
	}
}

// encode returns the document of a crash.
func encode(c *crash) ([]byte, error) {
	d := Recording{
		header:  header{Schema: "dsd/recording/v1", Module: module{Path: Module, Go: Go}},
		Label:   Label,
		Copy:    Mode,
		Crashes: []crash{*c},
	}
	d.Build = build{
		Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, Command: os.Args,
	}
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
		return nil, err
	}
	return out.Bytes(), nil
}

// save writes a document. It renames a complete file, so that no reader sees half a document.
func save(name string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
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

// tryDocument returns the panic as the document has it, and reports whether all of it could be
// read: what another goroutine is writing may be unreadable.
func (p *unwinding) tryDocument() (c crash, ok bool) {
	defer func() { ok = recover() == nil }()
	return p.document(), true
}

// document returns the panic as the document has it.
func (p *unwinding) document() crash {
	c := crash{Frames: []frame{}, Objects: []Node{}}
	for _, f := range p.stack {
		file := originOf(f.File)
		c.Frames = append(c.Frames, frame{Symbol: f.Function, File: file, Line: f.Line})
	}
	d := writer{crash: &c, types: map[string]*typeDef{}, lost: map[string]int{}}
	// Frames share objects, unless some saved fields on entry: each then sees other values in
	// them.
	share := true
	for _, call := range p.calls {
		share = share && call.saved == nil
	}
	if share {
		d.add(p, p.calls, true)
	} else {
		d.add(p, nil, true)
		for i := range p.calls {
			d.add(p, p.calls[i:i+1], false)
		}
	}
	for _, t := range d.types {
		c.Types = append(c.Types, *t)
	}
	sort.Slice(c.Types, func(i, j int) bool { return c.Types[i].Type < c.Types[j].Type })
	for why, n := range d.lost {
		c.Lost = append(c.Lost, loss{why, n})
	}
	sort.Slice(c.Lost, func(i, j int) bool { return c.Lost[i].Reason < c.Lost[j].Reason })
	if p == fatal {
		c.Panic = p.text
		return c
	}
	c.Panic = p.panicText()
	return c
}

// panicText returns the text of the panic as Go prints it where it ends the program.
func (p *unwinding) panicText() string {
	text := p.text
	if p.here != "" {
		return "panic: " + calledHere + p.here + "\n\n" + originOf(text)
	}
	if i := panicWords.FindStringIndex(text); i != nil { // what stands before it is ours
		head, _, _ := strings.Cut(text, "\n")
		text = head + "\n" + text[i[0]:]
	}
	what := "(unknown)"
	if p.known {
		what = message(p.value)
	}
	return "panic: " + what + "\n\n" + originOf(text)
}

// writer adds values to a crash.
type writer struct {
	crash *crash
	types map[string]*typeDef
	lost  map[string]int
}

// add adds the values of some calls, and the value of the panic if withValue is set, as one graph.
func (d *writer) add(p *unwinding, calls []call, withValue bool) {
	g := newGraph()
	g.objects, g.types, g.lost = d.crash.Objects, d.types, d.lost
	g.saved = map[location]reflect.Value{}
	value := reflect.New(reflect.TypeOf((*any)(nil)).Elem()).Elem()
	if withValue && p.known && p.value != nil {
		value.Set(reflect.ValueOf(p.value))
		g.explore(value)
	}
	args := make([][]reflect.Value, len(calls))
	for i, call := range calls {
		for j := 0; j+1 < len(call.saved); j += 2 {
			now := pointee(call.saved[j])
			where := location{unsafe.Pointer(now.UnsafeAddr()), now.Type()}
			g.saved[where] = pointee(call.saved[j+1])
		}
		for _, a := range call.args {
			v := pointee(a)
			args[i] = append(args[i], v)
			g.explore(v)
		}
		for _, name := range funcs[call.fn].Globals {
			if v, ok := globals[name]; ok {
				g.explore(v.Elem())
			}
		}
	}
	g.nest()
	if withValue && p.known {
		n := g.node(value)
		d.crash.Value = &n
	}
	for i, call := range calls {
		f := &d.crash.Frames[call.frame]
		fn := &funcs[call.fn]
		f.Func, f.Params = fn.Name, []Input{}
		for _, t := range call.types {
			f.TypeArgs = append(f.TypeArgs, typeText(t))
		}
		for j, v := range args[i] {
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
	d.crash.Objects = g.objects
}

// pointee returns the value that a pointer points to.
func pointee(p any) reflect.Value { return reflect.ValueOf(p).Elem() }

// originOf replaces the directories of copied modules in a text by the names of the modules.
func originOf(text string) string {
	for _, m := range Origins {
		text = strings.ReplaceAll(text, m[0], m[1])
	}
	return text
}
