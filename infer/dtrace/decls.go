package dtrace

import (
	"fmt"
	"strings"

	"dsd/infer/invariant"
	"dsd/schemas"
)

// programPoint is a declared program point.
type programPoint struct {
	name     string // as declared: pkg.f(int;)int:::EXIT7
	funcName string // the part of name before the colons
	entry    bool   // whether the point is an entry
	exit     string // the part of name after EXIT; "" at an entry
	vars     []invariant.Variable

	// nameLines[i] is the name of vars[i] with a newline, as a record has it. forms[i] is the
	// fast way to parse its values.
	nameLines []string
	forms     []form
	// minSize is the smallest size of a record in bytes, without the name of the point.
	minSize int

	fn *function // nil until the first record of the function is read
	// learned is the point that learns from the records of an exit. differs reports whether the
	// exit has other variables than the first exit of its function; then the two are not
	// combined.
	learned *invariant.Point
	differs bool
}

// isExit reports whether the point is an exit.
func (p *programPoint) isExit() bool {
	return !p.entry && strings.HasPrefix(p.name[len(p.funcName):], ":::EXIT")
}

// decls holds the declarations of all files.
type decls struct {
	points  []*programPoint
	byName  map[string]*programPoint
	version int
	// comparable reports whether the declarations say, by numbers, which variables can be
	// compared.
	comparable bool
}

// lineReader reads a text line by line.
type lineReader struct {
	name   string // of the file
	rest   string
	number int // of the last line that was read
}

func (l *lineReader) next() (string, bool) {
	if l.rest == "" {
		return "", false
	}
	line, rest, _ := strings.Cut(l.rest, "\n")
	l.rest = rest
	l.number++
	return strings.TrimSuffix(line, "\r"), true
}

func (l *lineReader) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", l.name, l.number, fmt.Sprintf(format, args...))
}

// isComment reports whether a line is blank or a comment.
func isComment(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || line[0] == '#' || strings.HasPrefix(line, "//")
}

// init sets what holds before the first declaration.
func (d *decls) init() { d.byName, d.version, d.comparable = map[string]*programPoint{}, 1, true }

// parse parses the declarations of a text. Errors name the file, which is called name, and the
// line.
func (d *decls) parse(name, text string) error {
	if d.byName == nil {
		d.init()
	}
	l := &lineReader{name: name, rest: text}
	for {
		line, ok := l.next()
		if !ok {
			return nil
		}
		if isComment(line) {
			continue
		}
		if err := d.declaration(l, strings.TrimSpace(line)); err != nil {
			return err
		}
	}
}

// declaration parses the declaration that begins with the given line.
func (d *decls) declaration(l *lineReader, line string) error {
	switch word, rest, _ := strings.Cut(line, " "); word {
	case "decl-version":
		switch {
		case strings.HasPrefix(rest, "2"):
			d.version = 2
		case !strings.HasPrefix(rest, "1"):
			return l.errorf("declarations of version %s (want 1 or 2)", rest)
		}

	case "var-comparability":
		d.comparable = strings.TrimSpace(rest) != "none"

	case "VarComparability":
		kind, _ := l.next()
		d.comparable = strings.TrimSpace(kind) != "none"

	case "input-language":

	case "ListImplementors":
		for line, ok := l.next(); ok && strings.TrimSpace(line) != ""; line, ok = l.next() {
		}

	case "DECLARE":
		return d.pointV1(l)

	case "ppt":
		return d.pointV2(l, unescape(rest))

	default:
		return l.errorf("neither a declaration nor a sample: %.60q", line)
	}
	return nil
}

// pointV1 parses a program point of version 1: its name, then four lines per variable.
func (d *decls) pointV1(l *lineReader) error {
	name, ok := l.next()
	if !ok {
		return l.errorf("the file ends in a declaration")
	}
	p := &programPoint{name: strings.TrimSpace(name)}
	for {
		v, ok := l.next()
		if !ok || strings.TrimSpace(v) == "" {
			return d.add(l, p)
		}
		typ, _ := l.next()
		rep, _ := l.next()
		group, ok := l.next()
		if !ok && group == "" && l.rest == "" && rep == "" {
			return l.errorf("the file ends in the declaration of %s", v)
		}
		rep, _, _ = strings.Cut(rep, "=") // the value of a constant, which records repeat
		typ, _, _ = strings.Cut(typ, "#")
		typ, rep, group = strings.TrimSpace(typ), strings.TrimSpace(rep), strings.TrimSpace(group)
		variable, err := d.variable(l, v, typ, rep, group)
		if err != nil {
			return err
		}
		p.vars = append(p.vars, variable)
	}
}

// pointV2 parses a program point of version 2: lines that each begin with a keyword.
func (d *decls) pointV2(l *lineReader, name string) error {
	p := &programPoint{name: name}
	var v, typ, rep, group string
	constant := false
	finish := func() error {
		if v != "" && !constant { // records omit constants
			variable, err := d.variable(l, v, typ, rep, group)
			if err != nil {
				return err
			}
			p.vars = append(p.vars, variable)
		}
		v, typ, rep, group, constant = "", "", "", "", false
		return nil
	}
	for {
		line, ok := l.next()
		if !ok || strings.TrimSpace(line) == "" {
			if err := finish(); err != nil {
				return err
			}
			return d.add(l, p)
		}
		if isComment(line) {
			continue
		}
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		rest = strings.TrimSpace(rest)
		switch word {
		case "variable":
			if err := finish(); err != nil {
				return err
			}
			v = unescape(rest)
		case "rep-type":
			rep = rest
		case "dec-type":
			typ = rest
		case "comparability":
			group = rest
		case "constant":
			constant = true
		case "enclosing-var", "ppt-type", "parent", "var-kind", "flags", "array", "reference-type",
			"function-args", "lang-flags", "min-value", "max-value", "min-length", "max-length",
			"valid-values", "relative-name":
			// Not used.
		default:
			return l.errorf("unknown keyword %q in the declaration of a program point", word)
		}
	}
}

// add adds a parsed program point.
func (d *decls) add(l *lineReader, p *programPoint) error {
	if d.byName[p.name] != nil {
		return l.errorf("%s is declared twice", p.name)
	}
	fn, at, ok := strings.Cut(p.name, ":::")
	if !ok {
		return l.errorf("invalid program point %s: must end in :::ENTER or :::EXIT", p.name)
	}
	p.funcName, p.entry = fn, at == "ENTER"
	if exit, ok := strings.CutPrefix(at, "EXIT"); ok {
		p.exit = exit
	}
	for _, v := range p.vars {
		p.nameLines = append(p.nameLines, v.Name+"\n")
		p.forms = append(p.forms, formOf(v.Rep))
		p.minSize += len(v.Name) + len("\n0\n1\n")
	}
	d.points, d.byName[p.name] = append(d.points, p), p
	return nil
}

// reps maps Daikon's representation types to those of our traces.
var reps = map[string]schemas.Rep{
	"int": "int", "char": "int", "byte": "int", "short": "int", "long": "int",
	"int[]": "ints", "long[]": "ints",
	"hashcode": "ref", "hashcode[]": "refs",
	"boolean": "bool", "boolean[]": "bools",
	"double": "float", "float": "float", "double[]": "floats", "float[]": "floats",
	"java.lang.String": "string", "string": "string", "char[]": "string",
	"java.lang.String[]": "strings", "string[]": "strings",
}

// commonTypes maps each representation to a type that all variables of that representation get
// where comparability is not declared.
var commonTypes = map[schemas.Rep]string{
	"int": "int", "ref": "*", "bool": "bool", "string": "string", "float": "float64",
	"ints": "[]int", "refs": "[]*", "bools": "[]bool", "strings": "[]string",
	"floats": "[]float64",
}

// variable returns the variable of the given name, declared type, representation type and
// comparability.
func (d *decls) variable(l *lineReader, name, typ, rep, group string) (invariant.Variable, error) {
	r, ok := reps[rep]
	if !ok {
		return invariant.Variable{}, l.errorf("%s: unknown representation %q "+
			"(want int, hashcode, boolean, double, java.lang.String or an array of these)", name, rep)
	}
	v := invariant.Variable{
		TraceVar: schemas.TraceVar{Name: name, Type: typ, Rep: r},
		Address:  r == "ref" || r == "refs",
		IsBool:   r == "int" && typ == "boolean",
	}
	if !d.comparable { // all variables of one representation are comparable
		v.Type = commonTypes[r]
		return v, nil
	}
	v.Group, v.IndexGroup, _ = strings.Cut(group, "[")
	v.IndexGroup = strings.TrimSuffix(v.IndexGroup, "]")
	if v.Group == "" || v.Group == "-1" || v.Group == "-2" {
		v.Group = typ
	}
	return v, nil
}

// unescape returns a name of version 2, which has no spaces, as it was before it was escaped.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	return strings.NewReplacer(`\_`, " ", `\\`, `\`).Replace(s)
}
