package stack

import (
	"slices"
	"strconv"
	"strings"

	"dsd/internal/stacktrace"
)

var (
	// runtimeMessage matches the messages of the runtime, whose prefix is lost where the panic's value was
	// written as what it is, a string.
	runtimeMessage = newPattern(`(?:runtime error: )?(invalid memory address or nil pointer dereference|` +
		`index out of range(?: \[-?\d+\](?: with length \d+)?)?|` +
		`slice bounds out of range(?: \[[-\d:]*\](?: with (?:length|capacity) \d+)?)?|integer divide by zero|` +
		`(?:makeslice: (?:len|cap)|growslice: len|makechan: size) out of range|negative shift amount|` +
		`cannot convert slice with length \d+ to array or pointer to array with length \d+|` +
		`(?:hash of unhashable|comparing uncomparable) type [^\s"]+)|` +
		`(assignment to entry in nil map|close of nil channel|close of closed channel|send on closed channel|` +
		`interface conversion: [^"]+?(?: is [^"]+?, not [^\s")]+|: missing method \w+))`)
	// recoveredText matches what programs write before the value that they recovered, and toldBy what they
	// write it as.
	recoveredText = newPattern(`(?i)(?:\[panic recover(?:ed)?\]|(?:panic recovered|panic caught|recovered from(?: a)? panic|` +
		`observed a panic(?: in \w+)?|panicked|panic)"?\s?[:=])\s*(\S.*)$`)
	toldBy = newPattern(`(?:\b(?:panic|error|err|exception|reason)[=:]|^\s*Oops:)\s*("(?:[^"\\]|\\.)*"|[^\s{].*)`)
	// delveValue matches the value of a panic in delve's message.
	delveValue = newPattern(`_panic\.arg: interface \{\}\(.*?\) \*?("(?:[^"\\]|\\.)*")`)
	// faulted matches what debuggers say of a signal that the runtime turns into a panic.
	faulted = newPattern(`received signal SIGSEGV|signal SIGSEGV: segmentation`)
	// timeStamp matches what log writes before a message.
	timeStamp = newPattern(`^\s*\d{4}[/-]\d\d[/-]\d\d[ T]\d\d:\d\d:\d\d\S*`)
	// errorType matches what go-errors writes before the message of an error of the standard library.
	errorType = newPattern(`^\*?(?:errors|fmt|runtime)\.[A-Za-z]+ `)
	// zapFields matches the fields that zap writes at the end of a line of its console.
	zapFields = newPattern(`\{"(?:panic|error|err)": ("(?:[^"\\]|\\.)*")`)
)

// raisers are functions of the runtime that raise a panic, by the beginnings of their names, and what it then says.
var raisers = []struct{ name, message string }{
	{"goPanicIndex", "runtime error: index out of range"},
	{"panicIndex", "runtime error: index out of range"},
	{"panicindex", "runtime error: index out of range"},
	{"panicBounds", "runtime error: index out of range"}, // or slice bounds, since Go 1.26
	{"goPanicSlice", "runtime error: slice bounds out of range"},
	{"panicSlice", "runtime error: slice bounds out of range"},
	{"panicslice", "runtime error: slice bounds out of range"},
	{"panicdivide", "runtime error: integer divide by zero"},
	{"panicshift", "runtime error: negative shift amount"},
	{"panicmem", "runtime error: invalid memory address or nil pointer dereference"},
	{"sigpanic", "runtime error: invalid memory address or nil pointer dereference"},
	{"panicdottype", "interface conversion: interface is not of the type"},
	{"panicmakeslicelen", "runtime error: makeslice: len out of range"},
	{"panicmakeslicecap", "runtime error: makeslice: cap out of range"},
	{"mapassign", "assignment to entry in nil map"},
	{"chansend", "send on closed channel"},
	{"closechan", "close of closed channel"},
}

// addHead returns the lines, which canonical returned, with the line "panic: message" before the first stack, if
// they have none. The message is what the runtime said or, if the functions that raise panics are on the
// stack, would have said; or what is told of a recovered panic. Without a sign of a panic, nothing is added.
func addHead(lines []string) []string {
	if slices.ContainsFunc(lines, func(l string) bool { return head.MatchString(l) }) {
		return lines
	}
	first := slices.IndexFunc(lines, isGoroutine)
	for i := range lines {
		if first >= 0 && i >= first {
			break
		}
		if counted.MatchString(strings.TrimSpace(lines[i])) ||
			i+1 < len(lines) && position.MatchString(lines[i+1]) && strings.HasSuffix(lines[i], ")") {
			first = i
		}
	}
	if first < 0 {
		return lines
	}
	message, ok := messageBefore(lines[:first], lines[first:])
	if !ok {
		return lines
	}
	out := append(slices.Clone(lines[:first]), "panic: "+message, "")
	if !isGoroutine(lines[first]) && !counted.MatchString(strings.TrimSpace(lines[first])) {
		out = append(out, "goroutine 1 [running]:")
	}
	return append(out, lines[first:]...)
}

// goroutineLine matches the line before the stack of a goroutine.
var goroutineLine = newPattern(`^goroutine \d+ `)

func isGoroutine(line string) bool { return goroutineLine.MatchString(line) }

// messageBefore returns the message of a panic that is told of in lines before a stack.
func messageBefore(before, stack []string) (message string, ok bool) {
	before = before[max(0, len(before)-maxHeadDistance):]
	for _, l := range slices.Backward(before) {
		if m := runtimeMessage.FindStringSubmatch(l); m != nil {
			if m[1] != "" {
				return "runtime error: " + m[1], true
			}
			return m[2], true
		}
	}
	if slices.ContainsFunc(before, faulted.MatchString) {
		return "runtime error: invalid memory address or nil pointer dereference", true
	}
	raised, message := raisedOn(stack)
	if message != "" {
		return message, true
	}
	for _, l := range slices.Backward(before) {
		for _, re := range []*pattern{delveValue, zapFields, toldBy, recoveredText} {
			if m := re.FindStringSubmatch(l); m != nil {
				return unquoted(m[1]), true
			}
		}
	}
	if !raised && !slices.ContainsFunc(before, func(l string) bool { return strings.Contains(strings.ToLower(l), "panic") }) {
		return "", false
	}
	for _, l := range slices.Backward(before) {
		if l = strings.TrimSpace(timeStamp.ReplaceAllString(l, "")); l != "" {
			if l[0] >= '0' && l[0] <= '9' { // a debugger's source, or a time alone
				break
			}
			return errorType.ReplaceAllString(l, ""), true
		}
	}
	return "", raised
}

// raisedOn reports whether a panic was raised on a stack, and what the runtime says if it raised that itself, "" if
// that cannot be told.
func raisedOn(stack []string) (raised bool, message string) {
	for _, l := range stack {
		if raised && (l == "" || isGoroutine(l)) {
			break
		}
		fn, _, _ := strings.Cut(strings.TrimSpace(l), "(")
		if m := counted.FindStringSubmatch(strings.TrimSpace(l)); m != nil {
			fn = m[1]
		}
		name, ofRuntime := strings.CutPrefix(fn, "runtime.")
		if !ofRuntime {
			name, ofRuntime = strings.CutPrefix(fn, UnknownPackage+".")
		}
		switch {
		case fn == "panic" || ofRuntime && name == "gopanic":
			raised = true
		case raised && ofRuntime:
			for _, r := range raisers {
				if strings.HasPrefix(name, r.name) {
					return true, r.message
				}
			}
		case raised && !strings.HasPrefix(l, "\t"):
			return true, ""
		}
	}
	return raised, ""
}

// unquoted returns what a Go string literal at the beginning of a text says, or the text.
func unquoted(text string) string {
	if prefix, err := strconv.QuotedPrefix(text); err == nil {
		if s, err := strconv.Unquote(prefix); err == nil {
			return firstLine(s)
		}
	}
	return text
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// runtimeFrame reports whether a frame whose package is unknown is of the runtime.
func runtimeFrame(f stacktrace.Frame) bool {
	if runtimeFile.MatchString(f.File) {
		return true
	}
	name := strings.TrimPrefix(f.Func, UnknownPackage+".")
	isRaiser := slices.ContainsFunc(raisers, func(r struct{ name, message string }) bool { return strings.HasPrefix(name, r.name) })
	switch path := f.File; {
	case strings.Contains(path, "/"):
		return false
	case path == "proc.go":
		return name == "main"
	case strings.HasPrefix(path, "asm_"):
		return name == "goexit" || strings.HasPrefix(name, "panic")
	default:
		return isRaiser || strings.HasPrefix(name, "panicBounds") && path == "panic.go"
	}
}

// Missing returns one line for the user of a text in which Read finds no panic: what was looked for.
func Missing(text string) string {
	lines := strings.Split(Clean(text), "\n")
	hasStack := slices.ContainsFunc(lines, func(l string) bool {
		return position.MatchString(l) || counted.MatchString(strings.TrimSpace(l))
	})
	switch {
	case strings.Contains(text, "WARNING: DATA RACE"):
		return "a race report, not a panic: a test with inputs cannot reproduce a race; go test -race may find it again"
	case hasStack:
		return "a stack trace, but no panic: no line has a message (\"panic: \", \"runtime error: \", \"panic recovered\" " +
			"...), and no frame is runtime.gopanic"
	}
	return "no panic and no stack trace: no line begins with \"panic: \" or \"fatal error: \", none has the message of a " +
		"runtime panic, and none is a stack frame as Go, debuggers, log libraries or error trackers write them"
}
