package stack

import (
	"encoding/json"
	"html"
	"regexp"
	"slices"
	"sort"
	"strings"
)

// Read reads the first panic in a text as people find it: copied from a terminal, a log file or an issue page, with
// prefixes, time stamps, quotation marks, escapes, indentation or wrapped lines; nil if there is none.
func Read(text string) *Panic { return Parse(Clean(text)) }

// Clean makes of a text what the Go program printed, as far as that can be seen. Lines that are no part of a panic may be
// left as they are, or missing.
func Clean(text string) string {
	text = escapes.ReplaceAllString(strings.TrimPrefix(text, "\ufeff"), "")
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u00a0", " ", "\u2003", " ", "#012", "\n", "#011", "\t").Replace(text)
	if entity.MatchString(text) {
		text = html.UnescapeString(text)
	}
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		lines = append(lines, unpack(line)...)
	}
	for i, line := range lines {
		line = quotation.ReplaceAllString(line, "")
		if fence.MatchString(line) {
			line = ""
		}
		lines[i] = strings.TrimRight(ticks.ReplaceAllString(line, ""), " \t")
	}
	return strings.Join(canonical(lines), "\n")
}

var (
	escapes   = regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]|\x1b\\][^\x07]*\x07")
	entity    = regexp.MustCompile(`&(?:lt|gt|amp|quot|nbsp|#\d+|#x[0-9a-fA-F]+);`)
	quotation = regexp.MustCompile(`^\s*(?:>\s?)+`)
	fence     = regexp.MustCompile("^\\s*(?:```|~~~)\\s*\\w*\\s*$")
	ticks     = regexp.MustCompile("^\\s*```|```\\s*$")
	escaped   = regexp.MustCompile(`\\n|\\t`)
)

// unpack makes of a line that holds several, as JSON or with escapes, these lines.
func unpack(line string) []string {
	if open := strings.IndexByte(line, '{'); open >= 0 && strings.HasSuffix(strings.TrimSpace(line), "}") && strings.Contains(line[open:], `":`) {
		var record map[string]any
		if json.Unmarshal([]byte(line[open:]), &record) == nil {
			return texts(record)
		}
	}
	if escaped.MatchString(line) && (strings.Contains(line, "goroutine ") || strings.Contains(line, `\t`) || strings.Contains(line, ".go:")) {
		line = strings.NewReplacer(`\\n`, "\n", `\\t`, "\t", `\n`, "\n", `\t`, "\t", `\"`, `"`, `\\`, `\`).Replace(line)
		lines := strings.Split(line, "\n")
		last := len(lines) - 1
		lines[last], _, _ = strings.Cut(lines[last], `"`) // that closes the text
		return lines
	}
	return []string{line}
}

// fields are names of the fields of log records that hold text: messages before stacks.
var fields = []string{"log", "output", "message", "msg", "textpayload", "line", "error", "err", "panic", "exception", "reason", "stacktrace", "stack_trace", "stack", "trace", "callstack", "errorverbose"}

// texts are the lines that a record of a structured log holds.
func texts(record map[string]any) []string {
	type part struct {
		rank int
		text string
	}
	var parts []part
	var visit func(m map[string]any)
	visit = func(m map[string]any) {
		for name, v := range m {
			switch v := v.(type) {
			case map[string]any:
				visit(v)
			case string:
				for rank, f := range fields {
					if strings.ToLower(name) == f {
						parts = append(parts, part{rank, v})
					}
				}
			}
		}
	}
	visit(record)
	sort.Slice(parts, func(i, j int) bool {
		return parts[i].rank < parts[j].rank || parts[i].rank == parts[j].rank && parts[i].text < parts[j].text
	})
	var out []string
	for _, p := range parts {
		out = append(out, strings.Split(strings.TrimSuffix(p.text, "\n"), "\n")...)
	}
	return out
}

var (
	goroutineAt = regexp.MustCompile(`goroutine \d+ (?:gp=\S+ m=\S+ (?:mp=\S+ )?)?\[[^\]]*\]:?$`)
	headAt      = regexp.MustCompile(`(?:^|[\s|:\]=>"'])((?:panic|fatal error): .*)$`)
	begins      = regexp.MustCompile(`^(?:panic|fatal error):(?: |$)`)
	servingAt   = regexp.MustCompile(`panic serving \S+: (.*)$`)
	signalAt    = regexp.MustCompile(`\[signal .*\]$`)
	createdAt   = regexp.MustCompile(`created by (\S+)(?: in goroutine \d+)?$`)
	elidedAt    = regexp.MustCompile(`\.\.\.(?:\d+|additional) frames elided\.\.\.$`)
	counterAt   = regexp.MustCompile(`(\S+\.\S+:(?:[+=]\d+|--))$`)
	placeAt     = regexp.MustCompile(`((?:[A-Za-z]:)?[^\s:"']+\.(?:go|s)):(\d+)(?: \+0x[0-9a-f]+)?(?: fp=\S+ sp=\S+ pc=\S+)?$`)
	tabPlace    = regexp.MustCompile(`\t((?:[A-Za-z]:)?[^:\t]+\.(?:go|s)):(\d+)(?: \+0x[0-9a-f]+)?(?: fp=\S+ sp=\S+ pc=\S+)?$`)
	nameAt      = regexp.MustCompile(`^[\pL_][\pL\pN_./%~@$*()\[\]·,{}+-]*\.[\pL\pN_.*()\[\]·-]+$`)
)

// canonical gives the lines of panics the form that the runtime prints, without what stands before them.
func canonical(lines []string) []string {
	var out []string
	inStack := false // the last line that was understood belongs to a goroutine's stack
	begun := false   // a panic was read, and no stack yet
	plain := slices.ContainsFunc(lines, func(l string) bool { return begins.MatchString(l) })
	system := false // the runtime's own stack is printed, which is no goroutine's
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		trimmed := strings.TrimSpace(line)
		switch {
		case goroutineAt.MatchString(line):
			text := goroutineAt.FindString(line)
			if inStack {
				out = append(out, "")
			}
			out = append(out, strings.TrimSuffix(text, ":")+":")
			inStack, system, begun = true, false, false
		case signalAt.MatchString(line):
			out = append(out, signalAt.FindString(line))
		case servingAt.MatchString(line):
			out = append(out, "panic: "+servingAt.FindStringSubmatch(line)[1])
			inStack, begun = false, true
		case begins.MatchString(line) || headAt.MatchString(line) && (!plain || indented(line)) && follows(lines[i+1:]):
			text := line
			if m := headAt.FindStringSubmatch(line); m != nil {
				text = m[1]
			} else {
				text += " " // there is no message
			}
			if begun && !inStack && strings.HasPrefix(text, "panic: ") && indented(line) {
				text = "\t" + text // raised while the first unwound the stack
			}
			out = append(out, text)
			inStack, begun = false, true
		case elidedAt.MatchString(line):
			out = append(out, elidedAt.FindString(line))
		case counterAt.MatchString(line) && !placeAt.MatchString(line):
			out = append(out, counterAt.FindString(line))
		default:
			fn, at, used := frame(lines[i:])
			if used == 0 {
				if trimmed == "" || strings.HasSuffix(line, ":") && !inStack {
					if inStack && trimmed == "" && continues(lines[i+1:]) {
						continue // a blank line of the page, not of the program
					}
					inStack = false
				}
				system = system || trimmed == "runtime stack:"
				out = append(out, line)
				continue
			}
			if !inStack && !system && !strings.HasPrefix(fn, "created by ") && begun {
				out = append(out, "goroutine 1 [running]:") // cut off by who copied it
				begun = false
			}
			inStack = !system
			out = append(out, fn, "\t"+at)
			i += used - 1
		}
	}
	return out
}

// follows says that a stack begins within the lines that come next.
func follows(lines []string) bool {
	for i, line := range lines {
		if i == 40 {
			break
		}
		if goroutineAt.MatchString(line) || counterAt.MatchString(line) {
			return true
		}
		if _, _, used := frame(lines[i:]); used > 0 {
			return true
		}
	}
	return false
}

// continues says that the next line that is not blank is a frame's: pages that put a blank line between all lines.
func continues(lines []string) bool {
	for i, line := range lines {
		if i == 3 {
			break
		}
		if strings.TrimSpace(line) != "" {
			_, _, used := frame(lines[i:])
			return used > 0 && !goroutineAt.MatchString(line)
		}
	}
	return false
}

// indented says that what a line's panic stands after is a tab, or spaces that are no log's.
func indented(line string) bool {
	at := strings.Index(line, "panic: ")
	return at > 0 && (line[at-1] == '\t' || strings.HasSuffix(line[:at], "  "))
}

// frame reads a frame off the first lines: the function with its arguments, its place, and how many lines that took, 0 if they
// are no frame. Either may be wrapped.
func frame(lines []string) (fn, at string, used int) {
	if len(lines) < 2 {
		return "", "", 0
	}
	for n := 1; n <= 3 && n < len(lines); n++ {
		fn, ok := function(lines[:n])
		if !ok {
			continue
		}
		rest := lines[n:]
		skip := 0
		for skip < len(rest) && skip < 2 && strings.TrimSpace(rest[skip]) == "" {
			skip++
		}
		rest = rest[skip:]
		for m := 1; m <= 2 && m <= len(rest); m++ {
			if at, ok := position(rest[:m]); ok {
				return fn, at, n + skip + m
			}
		}
	}
	return "", "", 0
}

// function reads a line, or several that were one, as "name(args)", "created by name" or a name alone.
func function(lines []string) (string, bool) {
	line := join(lines)
	if m := createdAt.FindString(line); m != "" {
		return m, true
	}
	if before, args, ok := call(line); ok {
		before = strings.TrimRight(before, " ")
		name := before[strings.LastIndexAny(before, " \t|\"'")+1:]
		if name == "panic" || nameAt.MatchString(name) && arguments.MatchString(args) {
			return name + "(" + args + ")", true
		}
		return "", false
	}
	if len(lines) > 1 {
		return "", false
	}
	name := line[strings.LastIndexAny(line, " \t|\"'")+1:]
	if nameAt.MatchString(name) && strings.Count(name, "(") == strings.Count(name, ")") && !strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, ".") {
		return name + "()", true
	}
	return "", false
}

// arguments are what stands between a function's parentheses.
var arguments = regexp.MustCompile(`^(?:[0-9a-fx?_,. {}\s]|\.\.\.)*$`)

// join makes one line of those that it was wrapped into.
func join(lines []string) string {
	out := strings.TrimSpace(lines[0])
	for _, l := range lines[1:] {
		l = strings.TrimSpace(l)
		if strings.HasSuffix(out, ",") {
			out += " "
		}
		out += l
	}
	return out
}

// position reads a line, or two that were one, as a place.
func position(lines []string) (string, bool) {
	line := lines[0]
	if len(lines) == 1 {
		if m := tabPlace.FindStringSubmatch(line); m != nil {
			return m[1] + ":" + m[2], true
		}
		if t := strings.TrimSpace(line); t != line { // indented: the path may have spaces
			if m := tabPlace.FindStringSubmatch("\t" + t); m != nil && (strings.HasPrefix(t, "/") || !strings.Contains(m[1], " ")) {
				return m[1] + ":" + m[2], true
			}
		}
	} else {
		if placeAt.MatchString(strings.TrimSpace(line)) {
			return "", false
		}
		line = join(lines)
	}
	if m := placeAt.FindStringSubmatch(line); m != nil {
		return m[1] + ":" + m[2], true
	}
	return "", false
}
