package stack

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"dsd/internal/symbol"
)

// UnknownPackage stands for the package of a function in texts that name functions without it, and
// UnknownFunc for a function of which there is only a position. Package locate finds them by their
// files.
const (
	UnknownPackage = "_"
	UnknownFunc    = "_._"
)

// foreignFrame is a form in which debuggers, profilers, frameworks and log libraries write a frame.
type foreignFrame struct {
	// has is a part of its first line; it saves the search for first.
	has string
	// first matches its first line, and second, if not nil, its second one; if optional, that may be missing.
	first, second *pattern
	optional      bool
}

// The groups are named func, file and line. A name in a group bare has no package.
var foreignFrames = []foreignFrame{
	// delve's stack and bt, also in the messages of editors:
	//
	//	2  0x0000000000467a25 in example.com/shop.Total
	//	   at /home/me/shop/shop.go:20
	{
		has:    " in ",
		first:  newPattern(`^\s*\d+\s+0x[0-9a-f]+ in (?P<func>\S+)$`),
		second: newPattern(`^\s*at (?P<file>\S.*\.(?:go|s)):(?P<line>\d+)$`),
	},
	// delve's goroutines -t and gdb's bt:
	//
	//	#2  0x0000000000467a25 in example.com/shop.Total (which=...) at /home/me/shop/shop.go:20
	{has: " at ", first: newPattern(
		`^#\d+\s+(?:0x[0-9a-f]+ in )?(?P<func>\S+) \(.*\) at (?P<file>\S+\.(?:go|s)):(?P<line>\d+)$`)},
	// gin, whose functions have lost their packages, and are missing without the source:
	//
	//	/home/me/shop/shop.go:20 (0x467a25)
	//		Total: return c.Price(5)
	{
		has:      " (0x",
		first:    newPattern(`^\s*(?P<file>\S+\.(?:go|s)):(?P<line>\d+) \(0x[0-9a-f]+\)$`),
		second:   newPattern(`^\s+(?P<bare>[\pL_(][^\s:]*): .*$`),
		optional: true,
	},
	// pprof's goroutines, debug=1:
	//
	//	#	0x467a25	example.com/shop.Total+0x25	/home/me/shop/shop.go:20
	{has: "0x", first: newPattern(
		`^#\s+0x[0-9a-f]+\s+(?P<func>\S+?)(?:\+0x[0-9a-f]+)?\s+(?P<file>\S+\.(?:go|s)):(?P<line>\d+)$`)},
	// samber/oops, whose methods have lost the kind of their receivers:
	//
	//	--- at /home/me/shop/shop.go:20 Cart.Total()
	{has: "--- at ", first: newPattern(
		`^\s*--- at (?P<file>\S+\.(?:go|s)):(?P<line>\d+) (?P<bare>\S+)\(\)$`)},
	// joomcode/errorx:
	//
	//	 at example.com/shop.Total()
	//		/home/me/shop/shop.go:20
	{
		has:    "at ",
		first:  newPattern(`^\s*at (?P<func>[^\s():]+(?:\(\*?\w+\)[^\s()]*)?)\(\)$`),
		second: newPattern(`^\s+(?P<file>\S+\.(?:go|s)):(?P<line>\d+)$`),
	},
	// rotisserie/eris, the innermost frame last, with the last element of the package's path:
	//
	//	shop.(*Cart).Total:/home/me/shop/shop.go:20
	{has: ":", first: newPattern(
		`^\s+[\pL_][^\s./:]*\.(?P<bare>[^\s/:]+):(?P<file>(?:/|[A-Z]:[\\/])\S*\.(?:go|s)):(?P<line>\d+)$`)},
	// Sentry's page as text:
	//
	//	File "/home/me/shop/shop.go", line 20, in Total
	{has: `File "`, first: newPattern(
		`^\s*File "(?P<file>[^"]+\.(?:go|s))", line (?P<line>\d+), in (?P<bare>\S+)$`)},
	// Sentry's page, copied:
	//
	//	/home/me/shop/shop.go in Total at line 20
	{has: " at line ", first: newPattern(
		`^\s*(?P<file>\S+\.(?:go|s)) in (?P<bare>\S+) at line (?P<line>\d+)(?: within \S+)?$`)},
}

// whole stands before a function that translate wrote: the line was not wrapped, and no line before it is a part
// of it.
const whole = "\x01"

// arrow matches what chi writes before the innermost frame.
var arrow = newPattern(`^ ?->\s+`)

// telemetry matches a frame of a stack counter, also as an item of a list with a link; old ones have no sign.
var telemetry = newPattern("^\\s*(?:[-*] )?\\[?`?([\\pL_][^\\s`]*\\.[^\\s`:]+):([+=?]?)(\\d+)(?:,\\+0x[0-9a-f]+)?`?(?:\\]\\(.*\\))?$")

// counter returns a frame of a stack counter in the form of the go command's crash reports, "" if a line is none.
// unsigned reports whether a number may be without a sign.
func counter(line string, unsigned bool) string {
	if !unsigned && !strings.Contains(line, ":+") && !strings.Contains(line, ":=") && !strings.Contains(line, ":?") {
		return ""
	}
	m := telemetry.FindStringSubmatch(line)
	switch {
	case m == nil || strings.HasSuffix(m[1], ".go") || strings.HasSuffix(m[1], ".s") || m[2] == "" && !unsigned:
		return ""
	case m[2] == "?":
		m[2] = "="
	case m[2] == "":
		m[2] = "+"
	}
	return m[1] + ":" + m[2] + m[3]
}

// translate writes the frames of other programs as the runtime does.
func translate(lines []string) []string {
	var out []string
	unsigned := slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "runtime.gopanic:") })
	for i := 0; i < len(lines); i++ {
		line := arrow.ReplaceAllString(lines[i], "\t")
		fn, pos, used := "", "", 0
		for _, f := range foreignFrames {
			if !strings.Contains(line, f.has) {
				continue
			}
			if fn, pos, used = f.read(lines[i:]); used > 0 {
				break
			}
		}
		switch {
		case used > 0:
			out = append(out, whole+fn+"()", "\t"+pos)
			i += used - 1
		case counter(line, unsigned) != "":
			out = append(out, counter(line, unsigned))
		case framesIn(line) != nil:
			out = append(out, line[:strings.Index(line, "[{")])
			out = append(out, framesIn(line)...)
		default:
			out = append(out, line)
		}
	}
	return innermostFirst(out)
}

// innermostFirst returns lines of translate in which each stack has its innermost frame first. What a program writes
// after a stack with the innermost frame last is the error, and goes before it.
func innermostFirst(lines []string) []string {
	for from := 0; from < len(lines); from++ {
		to := from
		for to+1 < len(lines) && strings.HasPrefix(lines[to], whole) {
			to += 2 // the function and its position
		}
		if stack := lines[from:to]; outermostFirst(stack) {
			slices.Reverse(stack)
			for i := 0; i < len(stack); i += 2 {
				stack[i], stack[i+1] = stack[i+1], stack[i]
			}
			if to < len(lines) {
				err := lines[to]
				lines = slices.Insert(slices.Delete(lines, to, to+1), from, err)
			}
		}
		from = max(from, to)
	}
	return lines
}

// outermostFirst reports whether the innermost frame of a stack is the last one: it begins where programs begin, or the
// runtime's gopanic comes after the function that calls it.
func outermostFirst(stack []string) bool {
	raised := false
	for i := 0; i < len(stack); i += 2 {
		fn := strings.TrimSuffix(strings.TrimPrefix(stack[i], whole), "()")
		name, ofRuntime := strings.CutPrefix(fn, UnknownPackage+".")
		if !ofRuntime {
			name, ofRuntime = strings.CutPrefix(fn, "runtime.")
		}
		switch {
		case i == 0 && len(stack) > 2 && (fn == "main.main" || ofRuntime && (name == "main" || name == "goexit")):
			return true
		case !ofRuntime:
		case name == "gopanic":
			return raised
		default:
			raised = slices.ContainsFunc(raisers, func(r struct{ name, message string }) bool {
				return strings.HasPrefix(name, r.name)
			})
		}
	}
	return false
}

// read reads a frame at the beginning of lines. It returns the number of lines, 0 if there is none.
func (f *foreignFrame) read(lines []string) (fn, pos string, used int) {
	m := f.first.FindStringSubmatch(lines[0])
	if m == nil {
		return "", "", 0
	}
	groups := map[string]string{}
	add := func(re *pattern, m []string) {
		for i, name := range re.SubexpNames() {
			if name != "" {
				groups[name] = m[i]
			}
		}
	}
	add(f.first, m)
	used = 1
	if f.second != nil {
		var second []string
		if len(lines) > 1 {
			second = f.second.FindStringSubmatch(lines[1])
		}
		switch {
		case second != nil:
			add(f.second, second)
			used = 2
		case !f.optional:
			return "", "", 0
		}
	}
	switch {
	case groups["func"] != "":
		fn = groups["func"]
	case groups["bare"] != "":
		fn = UnknownPackage + "." + groups["bare"]
	default:
		fn = UnknownFunc
	}
	return fn, groups["file"] + ":" + groups["line"], used
}

// framesIn returns the lines of the frames in a JSON array in a line, nil if there is none.
func framesIn(line string) []string {
	i := strings.Index(line, "[{")
	if i < 0 {
		return nil
	}
	var list []any
	if json.NewDecoder(strings.NewReader(line[i:])).Decode(&list) != nil {
		return nil
	}
	return frameLines(list)
}

// frameLines returns the lines of frames that are objects with the names of a function and a file and a
// line, as of zerolog and Sentry; nil if they are none.
func frameLines(list []any) []string {
	var out []string
	for _, x := range list {
		m, ok := x.(map[string]any)
		if !ok {
			return nil
		}
		fn := textOf(m, "function", "func", "name")
		file := textOf(m, "abs_path", "filename", "file", "source", "path")
		line := textOf(m, "lineno", "line")
		if fn == "" || file == "" || line == "" {
			return nil
		}
		switch pkg := textOf(m, "module", "package"); {
		case pkg != "":
			fn = symbol.Name{Package: pkg}.String() + fn // which escapes dots
		case !strings.Contains(fn, "/"):
			fn = UnknownPackage + "." + fn
		}
		out = append(out, whole+fn+"()", "\t"+file+":"+line)
	}
	return out
}

// textOf returns the first of the fields that an object has, as text; "" if it has none.
func textOf(m map[string]any, fields ...string) string {
	for _, f := range fields {
		switch v := m[f].(type) {
		case string:
			if v != "" {
				return v
			}
		case float64:
			return strconv.Itoa(int(v))
		}
	}
	return ""
}
