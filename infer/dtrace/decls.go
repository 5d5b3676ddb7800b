package dtrace

import (
	"fmt"
	"strings"

	"dsd/infer/invariant"
	"dsd/schemas"
)

// A Ppt is a declared program point.
type Ppt struct {
	// Name is as declared: pkg.f(int;)int:::EXIT7. Func is what stands before the colons.
	Name, Func string
	// Exit is what follows EXIT, or "" at an entry. Entry says that it is one.
	Exit  string
	Entry bool
	Vars  []invariant.Variable
	// names are those of the variables as they stand in a trace, each with its newline; forms is how their values are written. least is
	// how many bytes a record has at least, behind the point's name.
	names []string
	forms []form
	least int
	fn    *function        // that it is of, when a sample of one has been seen
	point *invariant.Point // that samples of a way out are for
	// apart says of a way out that it has other variables than the first one of its function, so that it is not taken together with that.
	apart bool
}

// Decls are the declarations of a trace.
type Decls struct {
	Ppts    []*Ppt
	byName  map[string]*Ppt
	version int
	// implicit says that comparability is declared, by numbers.
	implicit bool
}

// A lines is a text read line by line.
type lines struct {
	name string
	rest string
	at   int // number of the line read last
}

func (l *lines) next() (string, bool) {
	if l.rest == "" {
		return "", false
	}
	line, rest, _ := strings.Cut(l.rest, "\n")
	l.rest = rest
	l.at++
	return strings.TrimSuffix(line, "\r"), true
}

func (l *lines) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", l.name, l.at, fmt.Sprintf(format, args...))
}

// comment says that a line says nothing.
func comment(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || line[0] == '#' || strings.HasPrefix(line, "//")
}

// Add reads declarations. Errors name the file as name, the line, and what is wrong there.
func (d *Decls) Add(name, text string) error {
	if d.byName == nil {
		d.byName, d.version, d.implicit = map[string]*Ppt{}, 1, true
	}
	l := &lines{name: name, rest: text}
	for {
		line, ok := l.next()
		if !ok {
			return nil
		}
		if comment(line) {
			continue
		}
		if err := d.declaration(l, strings.TrimSpace(line)); err != nil {
			return err
		}
	}
}

// declaration reads the one that begins with a line.
func (d *Decls) declaration(l *lines, line string) error {
	switch word, rest, _ := strings.Cut(line, " "); word {
	case "decl-version":
		switch {
		case strings.HasPrefix(rest, "2"):
			d.version = 2
		case !strings.HasPrefix(rest, "1"):
			return l.errorf("declarations of version %s: 1 and 2 are known", rest)
		}
	case "var-comparability":
		d.implicit = strings.TrimSpace(rest) != "none"
	case "VarComparability":
		kind, _ := l.next()
		d.implicit = strings.TrimSpace(kind) != "none"
	case "input-language":
	case "ListImplementors":
		for line, ok := l.next(); ok && strings.TrimSpace(line) != ""; line, ok = l.next() {
		}
	case "DECLARE":
		return d.declare(l)
	case "ppt":
		return d.ppt(l, unescape(rest))
	default:
		return l.errorf("neither a declaration nor a sample: %.60q", line)
	}
	return nil
}

// add makes a point of what was declared.
func (d *Decls) add(l *lines, p *Ppt) error {
	if d.byName[p.Name] != nil {
		return l.errorf("%s is declared twice", p.Name)
	}
	fn, at, ok := strings.Cut(p.Name, ":::")
	if !ok {
		return l.errorf("%s: a program point ends in :::ENTER or :::EXIT", p.Name)
	}
	p.Func, p.Entry = fn, at == "ENTER"
	if exit, ok := strings.CutPrefix(at, "EXIT"); ok {
		p.Exit = exit
	}
	for _, v := range p.Vars {
		p.names = append(p.names, v.Name+"\n")
		p.forms = append(p.forms, formOf(v.Rep))
		p.least += len(v.Name) + len("\n0\n1\n")
	}
	d.Ppts, d.byName[p.Name] = append(d.Ppts, p), p
	return nil
}

// declare reads a declaration of version 1: the point's name, then four lines a variable.
func (d *Decls) declare(l *lines) error {
	name, ok := l.next()
	if !ok {
		return l.errorf("the file ends in a declaration")
	}
	p := &Ppt{Name: strings.TrimSpace(name)}
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
		rep, _, _ = strings.Cut(rep, "=") // of a constant, which every sample has, too
		typ, _, _ = strings.Cut(typ, "#")
		one, err := d.variable(l, v, strings.TrimSpace(typ), strings.TrimSpace(rep), strings.TrimSpace(group))
		if err != nil {
			return err
		}
		p.Vars = append(p.Vars, one)
	}
}

// ppt reads a declaration of version 2: a keyword a line.
func (d *Decls) ppt(l *lines, name string) error {
	p := &Ppt{Name: name}
	var v, typ, rep, group string
	constant := false
	finish := func() error {
		if v != "" && !constant { // what is constant is not in the trace
			one, err := d.variable(l, v, typ, rep, group)
			if err != nil {
				return err
			}
			p.Vars = append(p.Vars, one)
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
		if comment(line) {
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
		case "enclosing-var", "ppt-type", "parent", "var-kind", "flags", "array", "reference-type", "function-args", "lang-flags",
			"min-value", "max-value", "min-length", "max-length", "valid-values", "relative-name":
		default:
			return l.errorf("%q is nothing that is said of a program point or variable", word)
		}
	}
}

// reps are Daikon's representation types.
var reps = map[string]schemas.Rep{"int": "int", "hashcode": "ref", "boolean": "bool", "java.lang.String": "string", "double": "float", "float": "float",
	"int[]": "ints", "hashcode[]": "refs", "boolean[]": "bools", "java.lang.String[]": "strings", "double[]": "floats", "float[]": "floats",
	"string": "string", "string[]": "strings", "char": "int", "byte": "int", "short": "int", "long": "int", "long[]": "ints", "char[]": "string"}

// variable is one as the learner knows them.
func (d *Decls) variable(l *lines, name, typ, rep, group string) (invariant.Variable, error) {
	r, ok := reps[rep]
	if !ok {
		return invariant.Variable{}, l.errorf("%s: representation %q: int, hashcode, boolean, double, java.lang.String and arrays of them are known", name, rep)
	}
	v := invariant.Variable{TraceVar: schemas.TraceVar{Name: name, Type: typ, Rep: r}, Address: r == "ref" || r == "refs", Truth: r == "int" && typ == "boolean"}
	if !d.implicit { // all that is represented alike is comparable
		v.Type = alike[r]
		return v, nil
	}
	v.Group, v.IndexGroup, _ = strings.Cut(group, "[")
	v.IndexGroup = strings.TrimSuffix(v.IndexGroup, "]")
	if v.Group == "" || v.Group == "-1" || v.Group == "-2" {
		v.Group = typ
	}
	return v, nil
}

// alike are the types of variables whose comparability is not declared.
var alike = map[schemas.Rep]string{"int": "int", "ref": "*", "bool": "bool", "string": "string", "float": "float64", "ints": "[]int", "refs": "[]*", "bools": "[]bool",
	"strings": "[]string", "floats": "[]float64"}

// unescape undoes what a name of version 2 has in place of spaces.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	return strings.NewReplacer(`\_`, " ", `\\`, `\`).Replace(s)
}
