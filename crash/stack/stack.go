package stack

import (
	"regexp"
	"strconv"
	"strings"
)

// Panic is what a panic's text says.
type Panic struct {
	// Kind is one of schemas.Kinds; explicit-panic if the runtime did not raise it.
	Kind string
	// Message is the first line after "panic: " or "fatal error: ", without notes of recovery.
	Message string
	// Frames are those of the goroutine that panicked, crash first, without the runtime's own.
	Frames []Frame
}

// Frame is a frame of a stack trace.
type Frame struct {
	Func string
	File string // as printed: absolute unless the binary was built with -trimpath
	Line int
}

var (
	head  = regexp.MustCompile(`(?m)^(?:panic|fatal error): (.*)$`)
	recov = regexp.MustCompile(` \[recovered(?:, repanicked)?\]$`)
	gor   = regexp.MustCompile(`(?m)^goroutine \d+ .*\[running.*\]:$`)
	// linked are files of the runtime, whose functions other packages have by other names: sync.fatal.
	linked = regexp.MustCompile(`(?:^|/)runtime/[^/]+\.(?:go|s)$`)
	place  = regexp.MustCompile(`^\t(\S.*):(\d+)(?: \+0x[0-9a-f]+)?(?: fp=.*)?$`)
)

// kinds recognise the runtime's messages, first match first.
var kinds = []struct {
	kind string
	text *regexp.Regexp
}{
	{"nil-map", regexp.MustCompile(`^assignment to entry in nil map`)},
	{"slice-bounds", regexp.MustCompile(`^runtime error: slice bounds out of range`)},
	{"index", regexp.MustCompile(`^runtime error: index out of range`)},
	{"div-zero", regexp.MustCompile(`^runtime error: integer divide by zero`)},
	{"type-assert", regexp.MustCompile(`^interface conversion:`)},
	{"makeslice", regexp.MustCompile(`^(?:runtime error: )?(?:makeslice: (?:len|cap) out of range|makechan: size out of range|growslice: len out of range)`)},
	{"conversion", regexp.MustCompile(`^runtime error: cannot convert slice with length`)},
	{"shift", regexp.MustCompile(`^runtime error: negative shift amount`)},
	{"chan", regexp.MustCompile(`^(close of nil channel|close of closed channel|send on closed channel)`)},
	{"uncomparable", regexp.MustCompile(`^(?:runtime error: )?(?:comparing uncomparable|hash of unhashable)`)},
	{"nil-deref", regexp.MustCompile(`^runtime error: invalid memory address or nil pointer dereference|^value method .* called using nil|^go of nil func value$`)},
	{"stack-overflow", regexp.MustCompile(`^stack overflow`)},
}

// Parse reads the first panic in the text; nil if there is none.
func Parse(text string) *Panic {
	m := head.FindStringSubmatchIndex(text)
	if m == nil {
		return nil
	}
	p := &Panic{Kind: "explicit-panic", Message: recov.ReplaceAllString(text[m[2]:m[3]], "")}
	for _, k := range kinds {
		if k.text.MatchString(p.Message) {
			p.Kind = k.kind
			break
		}
	}
	rest := text[m[1]:]
	if g := gor.FindStringIndex(rest); g != nil {
		p.Frames = frames(rest[g[1]:])
	}
	return p
}

// frames reads pairs of lines, a function and its place, up to the blank line that ends the goroutine. What stands
// above the last call of panic is the unwinding, not the crash.
func frames(text string) []Frame {
	var out []Frame
	lines := strings.Split(strings.TrimPrefix(text, "\n"), "\n")
	for i := 0; i+1 < len(lines) && strings.TrimSpace(lines[i]) != ""; i++ {
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
		if strings.HasPrefix(fn, "created by ") {
			break
		}
		if open := strings.LastIndexByte(fn, '('); open > 0 {
			fn = fn[:open]
		}
		if fn == "panic" {
			out = out[:0]
			continue
		}
		if strings.HasPrefix(fn, "runtime.") || linked.MatchString(m[1]) && ofLibrary(fn) {
			continue
		}
		out = append(out, Frame{fn, m[1], line})
	}
	return out
}

// ofLibrary says that a function's package is of the standard library: the first element of its path has no dot.
func ofLibrary(fn string) bool {
	first, _, slash := strings.Cut(fn, "/")
	return slash && !strings.Contains(first, ".") || !slash && !strings.HasPrefix(fn, "main.")
}
