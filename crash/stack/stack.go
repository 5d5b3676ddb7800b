package stack

import (
	"regexp"
	"strconv"
	"strings"

	"dsd/schemas"
)

// Panic is what a panic's text says.
type Panic struct {
	// Kind is one of schemas.Kinds; explicit-panic if the runtime did not raise it.
	Kind schemas.Kind
	// Message is the first line after "panic: " or "fatal error: ", without notes of recovery.
	Message string
	// Later are the messages of panics that were raised while the first unwound the stack, in order.
	Later []string
	// Frames are those of the goroutine that panicked, crash first, without the runtime's own. What stands above the call of
	// panic, deferred functions, is not among them.
	Frames []Frame
	// CreatedBy is the function that started the goroutine, "" for the main one and where the text does not say.
	CreatedBy string
	// Elided says that frames are missing between those that are there: the runtime prints a hundred at most.
	Elided bool
	// Addr is the address of a bad memory access: of a field of a nil pointer its offset.
	Addr string
}

// Frame is a frame of a stack trace.
type Frame struct {
	Func string
	File string // as printed: absolute unless the binary was built with -trimpath; "" if not printed
	Line int    // 0 if not printed
	// Args are the words of the arguments as printed, see Words; "..." of an inlined function.
	Args string
	// Offset is how many lines below its function's first the place is, where the text says that in place of file and line.
	Offset int
}

// Inlined says that the frame is of an inlined call, of which no arguments are printed.
func (f *Frame) Inlined() bool { return f.Args == "..." }

var (
	head  = regexp.MustCompile(`(?m)^(?:panic|fatal error): (.*)$`)
	later = regexp.MustCompile(`^\tpanic: (.*)$`)
	recov = regexp.MustCompile(` \[recovered(?:, repanicked)?\]$`)
	gor   = regexp.MustCompile(`(?m)^goroutine \d+ .*\[running.*\]:$`)
	addr  = regexp.MustCompile(`(?m)^\[signal .*\baddr=(0x[0-9a-f]+)`)
	// linked are files of the runtime, whose functions other packages have by other names: sync.fatal.
	linked = regexp.MustCompile(`(?:^|/)runtime/[^/]+\.(?:go|s)$`)
	place  = regexp.MustCompile(`^\t(\S.*):(\d+)(?: \+0x[0-9a-f]+)?(?: fp=.*)?$`)
	// counter is a frame as the go command's crash reports have it: the function and the line, counted from its first.
	counter = regexp.MustCompile(`^(\S+\.\S+):(?:([+=])(\d+)|--)$`)
	elided  = regexp.MustCompile(`^\.\.\.(?:\d+|additional) frames elided\.\.\.$`)
)

// kinds recognise the runtime's messages, first match first.
var kinds = []struct {
	kind schemas.Kind
	text *regexp.Regexp
}{
	{schemas.NilMap, regexp.MustCompile(`^assignment to entry in nil map`)},
	{schemas.SliceBounds, regexp.MustCompile(`^runtime error: slice bounds out of range`)},
	{schemas.Index, regexp.MustCompile(`^runtime error: index out of range`)},
	{schemas.DivZero, regexp.MustCompile(`^runtime error: integer divide by zero`)},
	{schemas.TypeAssert, regexp.MustCompile(`^interface conversion:`)},
	{schemas.MakeSlice, regexp.MustCompile(`^(?:runtime error: )?(?:makeslice: (?:len|cap) out of range|makechan: size out of range|growslice: len out of range)`)},
	{schemas.Conversion, regexp.MustCompile(`^runtime error: cannot convert slice with length`)},
	{schemas.Shift, regexp.MustCompile(`^runtime error: negative shift amount`)},
	{schemas.Chan, regexp.MustCompile(`^(close of nil channel|close of closed channel|send on closed channel)`)},
	{schemas.Uncomparable, regexp.MustCompile(`^(?:runtime error: )?(?:comparing uncomparable|hash of unhashable)`)},
	{schemas.NilDeref, regexp.MustCompile(`^runtime error: invalid memory address or nil pointer dereference|^value method .* called using nil|^go of nil func value$`)},
	{schemas.StackOverflow, regexp.MustCompile(`^stack overflow`)},
}

func kindOf(message string) schemas.Kind {
	for _, k := range kinds {
		if k.text.MatchString(message) {
			return k.kind
		}
	}
	return schemas.ExplicitPanic
}

// Parse reads the first panic in what a Go program printed; nil if there is none.
func Parse(text string) *Panic {
	m := head.FindStringSubmatchIndex(text)
	if m == nil {
		return nil
	}
	p := &Panic{Message: recov.ReplaceAllString(text[m[2]:m[3]], "")}
	p.Kind = kindOf(p.Message)
	rest := text[m[1]:]
	before := rest
	if g := gor.FindStringIndex(rest); g != nil {
		before = rest[:g[0]]
		p.frames(rest[g[1]:])
	} else {
		p.counters(rest)
	}
	if a := addr.FindStringSubmatch(before); a != nil {
		p.Addr = a[1]
	}
	for _, line := range strings.Split(before, "\n") {
		if m := later.FindStringSubmatch(line); m != nil {
			p.Later = append(p.Later, recov.ReplaceAllString(m[1], ""))
		}
	}
	return p
}

// frames reads pairs of lines, a function and its place, up to the blank line that ends the goroutine. What stands
// above the last call of panic is the unwinding, not the crash.
func (p *Panic) frames(text string) {
	lines := strings.Split(strings.TrimPrefix(text, "\n"), "\n")
	for i := 0; i+1 < len(lines) && strings.TrimSpace(lines[i]) != ""; i++ {
		if elided.MatchString(lines[i]) {
			p.Elided = true
			continue
		}
		m := place.FindStringSubmatch(lines[i+1])
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
		p.add(Frame{Func: fn, File: m[1], Line: line, Args: args})
	}
}

// counters reads lines with a function and a line each, down to the first that is none after the first that is.
func (p *Panic) counters(text string) {
	for _, line := range strings.Split(text, "\n") {
		m := counter.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			if len(p.Frames) > 0 {
				return
			}
			continue
		}
		f := Frame{Func: m[1]}
		switch n, err := strconv.Atoi(m[3]); {
		case err != nil: // not said
		case m[2] == "=":
			f.Line = n
		default:
			f.Offset = n
		}
		p.add(f)
	}
}

// add adds a frame, unless it is the runtime's.
func (p *Panic) add(f Frame) {
	if f.Func == "panic" || f.Func == "runtime.gopanic" && f.File == "" {
		p.Frames = p.Frames[:0]
		return
	}
	if strings.HasPrefix(f.Func, "runtime.") || linked.MatchString(f.File) && ofLibrary(f.Func) {
		return
	}
	p.Frames = append(p.Frames, f)
}

// call splits a line "name(args)" whose last parenthesis closes the arguments.
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

// ofLibrary says that a function's package is of the standard library: the first element of its path has no dot.
func ofLibrary(fn string) bool {
	first, _, slash := strings.Cut(fn, "/")
	return slash && !strings.Contains(first, ".") || !slash && !strings.HasPrefix(fn, "main.")
}
