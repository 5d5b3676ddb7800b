package stack

import (
	"encoding/json"
	"html"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Read parses the first panic in a text as people find it: copied from a terminal, a log file or an
// issue page, with prefixes, time stamps, quotation marks, escapes, indentation or wrapped lines.
// It returns nil if there is none.
func Read(text string) *Panic {
	p := Parse(Clean(text))
	if r := revision.FindStringSubmatch(text); p != nil && r != nil {
		p.Revision = r[1]
	}
	return p
}

// revision matches the commit of a program as `go version -m`, slog and debug.BuildInfo write it.
var revision = newPattern(`vcs\.revision(?:\\?"?[=:]\s*\\?"?|\s+Value:|\\?",\s*\\?"Value\\?":\s*\\?"|\s+)([0-9a-f]{7,64})\b`)

// Clean restores what the Go program printed, as far as the text shows it. Lines that do not belong
// to a panic may be kept or dropped.
func Clean(text string) string {
	text = escapeSequence.ReplaceAllString(strings.TrimPrefix(text, "\ufeff"), "")
	text = strings.ReplaceAll(controls.Replace(text), whole, "")
	if entity.MatchString(text) {
		text = html.UnescapeString(text)
	}
	lines := unpackAll(text)
	for i, line := range lines {
		line = quotation.ReplaceAllString(line, "")
		if fence.MatchString(line) {
			line = ""
		}
		lines[i] = strings.TrimRight(ticks.ReplaceAllString(line, ""), " \t")
	}
	return strings.Join(addHead(canonical(translate(lines))), "\n")
}

var (
	// escapeSequence matches a terminal's escape sequences.
	escapeSequence = newPattern("\x1b\\[[0-9;?]*[A-Za-z]|\x1b\\][^\x07]*\x07")
	// controls replaces line ends, wide spaces, and what rsyslog writes for line ends and tabs.
	controls = strings.NewReplacer(
		"\r\n", "\n", "\r", "\n", "\u00a0", " ", "\u2003", " ", "#012", "\n", "#011", "\t")
	entity    = newPattern(`&(?:lt|gt|amp|quot|nbsp|#\d+|#x[0-9a-fA-F]+);`)
	quotation = newPattern(`^\s*(?:>\s?)+`)
	fence     = newPattern("^\\s*(?:```|~~~)\\s*\\w*\\s*$")
	ticks     = newPattern("^\\s*```|```\\s*$")
	escaped   = newPattern(`\\n|\\t`)
	unescape  = strings.NewReplacer(
		`\\n`, "\n", `\\t`, "\t", `\n`, "\n", `\t`, "\t", `\"`, `"`, `\\`, `\`)
)

// unpackAll returns the lines of a text, unpacked. The text may be a JSON record, or a list of them, itself.
func unpackAll(text string) []string {
	var records []map[string]any
	one := map[string]any{}
	switch trimmed := strings.TrimSpace(text); {
	case strings.HasPrefix(trimmed, "{") && json.Unmarshal([]byte(trimmed), &one) == nil:
		return recordLines(one)
	case strings.HasPrefix(trimmed, "[{") || strings.HasPrefix(trimmed, "[\n"):
		if json.Unmarshal([]byte(trimmed), &records) == nil {
			var lines []string
			for _, r := range records {
				lines = append(lines, recordLines(r)...)
			}
			return lines
		}
	}
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		lines = append(lines, unpack(line)...)
	}
	return lines
}

// logfmt matches a field of a log record in key=value form whose value is a quoted stack.
var logfmt = newPattern(`(\w+)=("(?:[^"\\]|\\.)*"|\S*)`)

// logfmtLines returns the lines in a record in key=value form, nil if it is none with a stack.
func logfmtLines(line string) []string {
	if !strings.Contains(line, "stack") && !strings.Contains(line, "trace=") {
		return nil
	}
	record := map[string]any{}
	for _, m := range logfmt.FindAllStringSubmatch(line, -1) {
		value := m[2]
		if s, err := strconv.Unquote(value); err == nil {
			value = s
		}
		record[m[1]] = value
	}
	for _, name := range []string{"stack", "stacktrace", "stack_trace", "trace"} {
		if s, ok := record[name].(string); ok && strings.Contains(s, "\n") {
			return recordLines(record)
		}
	}
	return nil
}

// unpack returns the lines that one line holds: those in the fields of a record in JSON or in key=value
// form, or those separated by escaped line ends.
func unpack(line string) []string {
	if lines := logfmtLines(line); lines != nil {
		return lines
	}
	open := strings.IndexByte(line, '{')
	if open >= 0 && strings.HasSuffix(strings.TrimSpace(line), "}") &&
		strings.Contains(line[open:], `":`) {
		var record map[string]any
		if json.Unmarshal([]byte(line[open:]), &record) == nil {
			return recordLines(record)
		}
	}
	if escaped.MatchString(line) &&
		(strings.Contains(line, "goroutine ") || strings.Contains(line, `\t`) ||
			strings.Contains(line, ".go:")) {
		lines := strings.Split(unescape.Replace(line), "\n")
		last := len(lines) - 1
		lines[last], _, _ = strings.Cut(lines[last], `"`) // the end of the quoted text
		return lines
	}
	return []string{line}
}

// textFields are the names of the fields of log records that hold text: messages before stacks.
var textFields = []string{
	"log", "output", "message", "msg", "textpayload", "line", "error", "err", "panic", "exception",
	"reason", "value",
	"stacktrace", "stack_trace", "stack", "trace", "callstack", "errorverbose",
}

// recordLines returns the lines in the text fields of a log record and of the objects inside it, in
// the order of textFields.
func recordLines(record map[string]any) []string {
	type part struct {
		rank int
		text string
	}
	var parts []part
	add := func(name, text string) {
		if rank := slices.Index(textFields, strings.ToLower(name)); rank >= 0 {
			parts = append(parts, part{rank, text})
		}
	}
	var visit func(m map[string]any)
	visit = func(m map[string]any) {
		for name, v := range m {
			switch v := v.(type) {
			case map[string]any:
				visit(v)
			case []any:
				if frames := frameLines(v); frames != nil {
					if name == "frames" { // of Sentry, the panicking one last
						frames = reversedFrames(frames)
					}
					add("stacktrace", strings.Join(frames, "\n"))
					continue
				}
				for _, x := range v { // Sentry's exceptions
					if x, ok := x.(map[string]any); ok {
						visit(x)
					}
				}
			case string:
				_, ofSentry := m["stacktrace"].(map[string]any)
				if ofSentry && name == "value" {
					v = "panic: " + v
				}
				add(name, v)
			}
		}
	}
	visit(record)
	sort.Slice(parts, func(i, j int) bool {
		return parts[i].rank < parts[j].rank ||
			parts[i].rank == parts[j].rank && parts[i].text < parts[j].text
	})
	var out []string
	for _, p := range parts {
		out = append(out, strings.Split(strings.TrimSuffix(p.text, "\n"), "\n")...)
	}
	return out
}

// reversedFrames returns the lines of frames, two each, from the last to the first frame.
func reversedFrames(lines []string) []string {
	var out []string
	for i := len(lines) - 2; i >= 0; i -= 2 {
		out = append(out, lines[i], lines[i+1])
	}
	return out
}

// positionEnd matches the rest of the line of a position, behind the file.
const positionEnd = `:(\d+)(?: \+0x[0-9a-f]+)?(?: fp=\S+ sp=\S+ pc=\S+)?$`

// These match the lines of a panic where they stand at the end of a line, behind a prefix.
var (
	goroutineAt = newPattern(`goroutine \d+ (?:gp=\S+ m=\S+ (?:mp=\S+ )?)?\[[^\]]*\]:?$`)
	headAt      = newPattern(`(?:^|[\s|:\]=>"'])((?:panic|fatal error): .*)$`)
	plainHead   = newPattern(`^(?:panic|fatal error):(?: |$)`)
	servingAt   = newPattern(`panic serving \S+: (.*)$`)
	// observed matches what Kubernetes' library writes of a panic: its value as Go source, and as text.
	observed   = newPattern(`Observed a panic: .* \((.*)\)$`)
	signalAt   = newPattern(`\[signal .*\]$`)
	createdAt  = newPattern(`created by (\S+)(?: in goroutine \d+)?$`)
	elidedAt   = newPattern(`\.\.\.(?:\d+|additional) frames elided\.\.\.$`)
	countedAt  = newPattern(`(\S+\.\S+:(?:[+=]\d+|--))$`)
	positionAt = newPattern(`((?:[A-Za-z]:)?[^\s:"']+\.(?:go|s))` + positionEnd)
	// tabPosition matches a position behind a tab, whose path may hold spaces.
	tabPosition = newPattern(`\t((?:[A-Za-z]:)?[^:\t]+\.(?:go|s))` + positionEnd)
	// funcName matches the name of a function with its package.
	funcName = newPattern(`^[\pL_][\pL\pN_./%~@$*()\[\]·,{}+-]*\.[\pL\pN_.*()\[\]·-]+$`)
	// words matches the arguments between a function's parentheses.
	words = newPattern(`^(?:[0-9a-fx?_,. {}\s]|\.\.\.)*$`)
)

// canonical gives the lines of panics the form that the runtime prints, without prefixes.
func canonical(lines []string) []string {
	var out []string
	inStack := false  // the last line that was recognized belongs to the stack of a goroutine
	headRead := false // the head of a panic was read, and no stack yet
	system := false   // inside the runtime's own stack, which belongs to no goroutine
	// If some panic has no prefix, then heads behind prefixes are taken for mentions of panics.
	plain := slices.ContainsFunc(lines, func(l string) bool { return plainHead.MatchString(l) })
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		trimmed := strings.TrimSpace(line)
		switch {
		case goroutineAt.MatchString(line):
			at := goroutineAt.FindStringIndex(line)
			text := line[at[0]:]
			if inStack {
				out = append(out, "")
			}
			if before := strings.TrimSpace(line[:at[0]]); before != "" && !inStack && !headRead {
				out = append(out, before) // it may say what the panic was
			}
			out = append(out, strings.TrimSuffix(text, ":")+":")
			inStack, system, headRead = true, false, false

		case signalAt.MatchString(line):
			out = append(out, signalAt.FindString(line))

		case servingAt.MatchString(line):
			out = append(out, "panic: "+servingAt.FindStringSubmatch(line)[1])
			inStack, headRead = false, true

		case plainHead.MatchString(line) ||
			headAt.MatchString(line) && (!plain || indented(line)) && stackFollows(lines[i+1:]):
			text := line
			if m := headAt.FindStringSubmatch(line); m != nil {
				text = m[1]
				if m := observed.FindStringSubmatch(line); m != nil {
					text = "panic: " + m[1]
				}
			} else {
				text += " " // the message is empty
			}
			if headRead && !inStack && strings.HasPrefix(text, "panic: ") && indented(line) {
				text = "\t" + text // raised while the first panic unwound the stack
			}
			out = append(out, text)
			inStack, headRead = false, true

		case elidedAt.MatchString(line):
			out = append(out, elidedAt.FindString(line))

		case countedAt.MatchString(line) && !positionAt.MatchString(line):
			out = append(out, countedAt.FindString(line))

		default:
			fn, pos, used := readFrame(lines[i:])
			if used == 0 {
				if trimmed == "" || strings.HasSuffix(line, ":") && !inStack {
					if inStack && trimmed == "" && frameFollows(lines[i+1:]) {
						continue // the page put a blank line between all lines
					}
					inStack = false
				}
				system = system || trimmed == "runtime stack:"
				out = append(out, line)
				continue
			}
			if !inStack && !system && !strings.HasPrefix(fn, "created by ") && headRead {
				out = append(out, "goroutine 1 [running]:") // the copy lacks this line
				headRead = false
			}
			if at := runtimeMessage.FindStringIndex(line); at != nil && !inStack {
				out = append(out, line[:at[1]]) // the stack begins in the line of the message
			}
			inStack = !system
			out = append(out, fn, "\t"+pos)
			i += used - 1
		}
	}
	return out
}

// maxHeadDistance is the number of lines after the head of a panic in which its stack must begin.
const maxHeadDistance = 40

// stackFollows reports whether a stack begins soon.
func stackFollows(lines []string) bool {
	for i, line := range lines {
		if i == maxHeadDistance {
			break
		}
		if goroutineAt.MatchString(line) || countedAt.MatchString(line) {
			return true
		}
		if _, _, used := readFrame(lines[i:]); used > 0 {
			return true
		}
	}
	return false
}

// frameFollows reports whether the next line that is not blank, within three lines, begins a frame.
func frameFollows(lines []string) bool {
	for i, line := range lines {
		if i == 3 {
			break
		}
		if strings.TrimSpace(line) != "" {
			_, _, used := readFrame(lines[i:])
			return used > 0 && !goroutineAt.MatchString(line)
		}
	}
	return false
}

// indented reports whether a tab or two spaces stand before "panic: ", as they do not after a log's
// prefix.
func indented(line string) bool {
	at := strings.Index(line, "panic: ")
	return at > 0 && (line[at-1] == '\t' || strings.HasSuffix(line[:at], "  "))
}

// readFrame reads a frame at the beginning of lines: its function with the arguments, its position,
// and the number of lines, 0 if no frame begins here. The function may be wrapped into three lines,
// the position into two, with up to two blank lines between them.
func readFrame(lines []string) (fn, pos string, used int) {
	if len(lines) < 2 {
		return "", "", 0
	}
	for n := 1; n <= 3 && n < len(lines); n++ {
		if n > 1 && endsMessage(lines[0]) {
			break // no name begins there
		}
		fn, ok := readFunction(lines[:n])
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
			if pos, ok := readPosition(rest[:m]); ok {
				return fn, pos, n + skip + m
			}
		}
	}
	return "", "", 0
}

// endsMessage reports whether a line ends with a message of the runtime.
func endsMessage(line string) bool {
	line = strings.TrimRight(line, " \t\r")
	at := runtimeMessage.FindStringIndex(line)
	return at != nil && at[1] == len(line)
}

// readFunction reads a line, or several that were one, as "name(args)", "created by name" or a name
// without arguments.
func readFunction(lines []string) (string, bool) {
	if fn, ok := strings.CutPrefix(lines[0], whole); ok && len(lines) == 1 {
		return fn, true
	}
	if strings.Contains(strings.Join(lines, ""), whole) {
		return "", false
	}
	line := join(lines)
	if m := createdAt.FindString(line); m != "" {
		return m, true
	}
	if before, args, ok := call(line); ok {
		name := lastWord(strings.TrimRight(before, " "))
		if name == "panic" || funcName.MatchString(name) && words.MatchString(args) {
			return name + "(" + args + ")", true
		}
		return "", false
	}
	if len(lines) > 1 {
		return "", false
	}
	name := lastWord(line)
	if funcName.MatchString(name) && strings.Count(name, "(") == strings.Count(name, ")") &&
		!strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, ".") {
		return name + "()", true
	}
	return "", false
}

// lastWord returns the end of a line behind blanks, bars, quotation marks and equals signs.
func lastWord(line string) string { return line[strings.LastIndexAny(line, " \t|\"'=")+1:] }

// join joins the lines that a line was wrapped into.
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

// readPosition reads a line, or two that were one, as a position.
func readPosition(lines []string) (string, bool) {
	line := lines[0]
	if len(lines) == 1 {
		if m := tabPosition.FindStringSubmatch(line); m != nil {
			return m[1] + ":" + m[2], true
		}
		// indented with spaces: the path may hold spaces, too
		if t := strings.TrimSpace(line); t != line {
			m := tabPosition.FindStringSubmatch("\t" + t)
			if m != nil && (strings.HasPrefix(t, "/") || !strings.Contains(m[1], " ")) {
				return m[1] + ":" + m[2], true
			}
		}
	} else {
		if positionAt.MatchString(strings.TrimSpace(line)) || strings.HasPrefix(line, whole) {
			return "", false
		}
		line = join(lines)
	}
	if m := positionAt.FindStringSubmatch(line); m != nil {
		return m[1] + ":" + m[2], true
	}
	return "", false
}
