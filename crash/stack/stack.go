package stack

import (
	"strconv"
	"strings"

	"dsd/internal/stacktrace"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// Panic is the parsed text of a panic or of a fatal error of the runtime.
type Panic struct {
	// Kind is one of schemas.Kinds; explicit-panic if the runtime did not raise the panic.
	Kind schemas.Kind
	// Message is the first line after "panic: " or "fatal error: ", without notes of recovery.
	Message string
	// Fatal reports whether it is a fatal error, which ends the program without unwinding a stack.
	Fatal bool
	// Later are the messages of panics that were raised while the first unwound the stack, in
	// order.
	Later []string
	// Frames are the frames of the goroutine that panicked, crash first, without the runtime's
	// own. Frames above the call of panic, which belong to deferred functions, are left out.
	Frames []stacktrace.Frame
	// CreatedBy is the function that started the goroutine, "" for the main goroutine and for a
	// text that does not name it.
	CreatedBy string
	// Elided reports whether frames are missing between those in Frames: the runtime prints 100
	// at most.
	Elided bool
	// Addr is the address of a bad memory access. For a field of a nil pointer it is the
	// field's offset.
	Addr string
	// Revision is the commit that the program was built from, as the text has its vcs.revision; "" if it has none.
	Revision string

	unwound bool // a call of panic was among the frames so far
}

var (
	head      = newPattern(`(?m)^(panic|fatal error): (.*)$`)
	later     = newPattern(`^\tpanic: (.*)$`)
	recovered = newPattern(` \[recovered(?:, repanicked)?\]$`)
	running   = newPattern(`(?m)^goroutine \d+ .*\[running.*\]:$`)
	addr      = newPattern(`(?m)^\[signal .*\baddr=(0x[0-9a-f]+)`)
	// runtimeFile matches the runtime's files. Their functions can have the names of other
	// packages, by go:linkname: sync.fatal.
	runtimeFile = newPattern(`(?:^|/)runtime/[^/]+\.(?:go|s)$`)
	panicFile   = newPattern(`(?:^|/)runtime/panic\.go$`)
	position    = newPattern(`^\t(\S.*):(\d+)(?: \+0x[0-9a-f]+)?(?: fp=.*)?$`)
	// counted matches a frame in the go command's crash reports: the function, and the line,
	// which "+" counts from the function's first line. "--" stands for an unknown line.
	counted = newPattern(`^(\S+\.\S+):(?:([+=])(\d+)|--)$`)
	elided  = newPattern(`^\.\.\.(?:\d+|additional) frames elided\.\.\.$`)
)

// kinds are patterns of the runtime's messages; the first that matches decides.
var kinds = []struct {
	kind schemas.Kind
	text *pattern
}{
	{schemas.NilMap, newPattern(`^assignment to entry in nil map`)},
	{schemas.SliceBounds, newPattern(`^runtime error: (?:slice bounds out of range|` +
		`unsafe\.(?:Slice|String): )`)},
	{schemas.Index, newPattern(`^runtime error: index out of range`)},
	{schemas.DivZero, newPattern(`^runtime error: integer divide by zero`)},
	{schemas.TypeAssert, newPattern(`^interface conversion:`)},
	{schemas.MakeSlice,
		newPattern(`^(?:runtime error: )?(?:makeslice: (?:len|cap) out of range|` +
			`makechan: size out of range|growslice: len out of range)`)},
	{schemas.Conversion, newPattern(`^runtime error: cannot convert slice with length`)},
	{schemas.Shift, newPattern(`^runtime error: negative shift amount`)},
	{schemas.Chan,
		newPattern(`^(close of nil channel|close of closed channel|send on closed channel)`)},
	{schemas.Uncomparable,
		newPattern(`^(?:runtime error: )?(?:comparing uncomparable|hash of unhashable)`)},
	{schemas.NilDeref,
		newPattern(`^runtime error: invalid memory address or nil pointer dereference|` +
			`^value method .* called using nil|^go of nil func value$`)},
	{schemas.StackOverflow, newPattern(`^stack overflow`)},
}

// KindOf returns the kind of the panic with a message.
func KindOf(message string) schemas.Kind {
	for _, k := range kinds {
		if k.text.MatchString(message) {
			return k.kind
		}
	}
	return schemas.ExplicitPanic
}

// Parse parses the first panic in the output of a Go program. It returns nil if there is none.
func Parse(text string) *Panic {
	m := head.FindStringSubmatchIndex(text)
	if m == nil {
		return nil
	}
	if g := running.FindStringIndex(text[m[1]:]); g != nil {
		// A program that prints a panic of another one, without its stack, and panics itself, has two.
		if i := strings.LastIndex(text[m[1]:m[1]+g[0]], "\n\npanic: "); i >= 0 {
			text = text[m[1]+i:]
			m = head.FindStringSubmatchIndex(text)
		}
	}
	p := &Panic{
		Message: recovered.ReplaceAllString(text[m[4]:m[5]], ""), Fatal: text[m[2]:m[3]] == "fatal error",
	}
	p.Kind = KindOf(p.Message)
	rest := text[m[1]:]
	before := rest
	if g := running.FindStringIndex(rest); g != nil {
		before = rest[:g[0]]
		p.frames(rest[g[1]:])
	} else {
		p.countedFrames(rest)
	}
	if a := addr.FindStringSubmatch(before); a != nil {
		p.Addr = a[1]
	}
	for _, line := range strings.Split(before, "\n") {
		if m := later.FindStringSubmatch(line); m != nil {
			p.Later = append(p.Later, recovered.ReplaceAllString(m[1], ""))
		}
	}
	return p
}

// frames parses pairs of lines, a function and its position, up to the blank line that ends the
// goroutine.
func (p *Panic) frames(text string) {
	lines := strings.Split(strings.TrimPrefix(text, "\n"), "\n")
	for i := 0; i+1 < len(lines) && strings.TrimSpace(lines[i]) != ""; i++ {
		if elided.MatchString(lines[i]) {
			p.Elided = true
			continue
		}
		m := position.FindStringSubmatch(lines[i+1])
		if m == nil {
			continue
		}
		line, err := strconv.Atoi(m[2])
		if err != nil {
			continue
		}
		fn := lines[i]
		i++
		if by, ok := strings.CutPrefix(fn, "created by "); ok {
			p.CreatedBy, _, _ = strings.Cut(by, " in goroutine ")
			break
		}
		args := ""
		if name, rest, ok := call(fn); ok {
			fn, args = name, rest
		} else if open := strings.LastIndexByte(fn, '('); open > 0 {
			fn = fn[:open]
		}
		p.add(stacktrace.Frame{Func: fn, File: m[1], Line: line, Args: args})
	}
}

// countedFrames parses the frames of a crash report: the first block of lines that match counted.
func (p *Panic) countedFrames(text string) {
	for _, line := range strings.Split(text, "\n") {
		m := counted.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			if len(p.Frames) > 0 {
				return
			}
			continue
		}
		f := stacktrace.Frame{Func: m[1]}
		switch n, err := strconv.Atoi(m[3]); {
		case err != nil: // an unknown line
		case m[2] == "=":
			f.Line = n
		default:
			f.Offset = n
		}
		p.add(f)
	}
}

// add appends a frame, unless it is the runtime's. A call of panic drops the frames before it: they
// belong to functions that were deferred and ran while the stack was unwound. In a stack without functions, that is the
// first line of the runtime's panic.go.
func (p *Panic) add(f stacktrace.Frame) {
	unnamed := f.Func == UnknownFunc && !p.unwound && panicFile.MatchString(f.File)
	if unnamed || f.Func == "panic" || f.Func == "runtime.gopanic" || f.Func == UnknownPackage+".gopanic" {
		p.Frames, p.unwound = p.Frames[:0], true
		return
	}
	if strings.HasPrefix(f.Func, "runtime.") || strings.HasPrefix(f.Func, UnknownPackage+".") && runtimeFrame(f) ||
		runtimeFile.MatchString(f.File) && symbol.MayBeStandard(symbol.Parse(f.Func).Package) {
		return
	}
	p.Frames = append(p.Frames, f)
}

// call splits a line "name(args)" at the parenthesis that the last one closes.
func call(line string) (name, args string, ok bool) {
	if !strings.HasSuffix(line, ")") {
		return "", "", false
	}
	depth := 0
	for i := len(line) - 1; i > 0; i-- {
		switch line[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth == 0 {
				return line[:i], line[i+1 : len(line)-1], true
			}
		}
	}
	return "", "", false
}
