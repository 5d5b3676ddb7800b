package symbol

import (
	"go/token"
	"slices"
	"strings"
)

// Name is the parsed name of a function, method or function literal.
type Name struct {
	// Package is the import path, without the linker's escapes; "main" for the package of a
	// program, "" for a name without a package, such as panic.
	Package string
	// Receiver is the receiver's type without pointer and type arguments; "" for a function.
	Receiver string
	// Pointer reports whether the receiver is a pointer.
	Pointer bool
	// Func is the declared name of the function or method. Function literals in the
	// declarations of variables belong to init, the compiler's function that initializes them;
	// older compilers, and literals inside functions named _, have "glob." instead.
	Func string
	// TypeArgs are the type arguments of the receiver or else of the function with their
	// brackets: [...] in stack traces, [go.shape.int] in symbol tables.
	TypeArgs string
	// Suffix is what the compiler appends for code inside or around the declared function, with
	// its first character: .func1 and .func2.1 for literals, .gowrap1 and .deferwrap1 for go
	// and defer statements, -range1 for the bodies of range-over-func loops, .0 for the first
	// of several init functions, -fm for method values.
	Suffix string
}

// Parse parses the name of a function. A text that is not a name becomes a Name whose Func is the
// whole text, so that String returns it unchanged.
func Parse(name string) Name {
	whole := Name{Func: name}
	path, local, ok := cutPackage(name)
	if !ok {
		return whole
	}
	n := Name{Package: unescape(path)}
	if rest, ok := strings.CutPrefix(local, "(*"); ok {
		n.parsePointerMethod(rest)
	} else {
		n.parseLocal(local)
	}
	if n.Func == "" || n.Pointer && n.Receiver == "" || n.local(n.TypeArgs) != local ||
		strings.ContainsAny(n.Package+n.Func+n.Receiver, "()[]*") {
		return whole
	}
	return n
}

// parsePointerMethod parses T).M or T[...]).M, which follows "(*".
func (n *Name) parsePointerMethod(rest string) {
	// Type arguments may hold parentheses and dots, too.
	end := strings.IndexAny(rest, "[)")
	if end < 0 {
		return
	}
	if rest[end] == '[' {
		end += brackets(rest[end:])
	}
	method, ok := strings.CutPrefix(rest[end:], ").")
	if !ok {
		return
	}
	n.Pointer = true
	n.Receiver, n.TypeArgs = cutTypeArgs(rest[:end])
	n.Func, n.Suffix = cutSuffix(method)
}

// parseLocal parses F or T.M, either with type arguments behind the first name.
func (n *Name) parseLocal(local string) {
	first, rest := component(local)
	if i := strings.LastIndexByte(first, '-'); i > strings.LastIndexByte(first, ']') {
		first, rest = first[:i], first[i:]+rest
	}
	n.Func, n.TypeArgs = cutTypeArgs(first)
	n.Suffix = rest
	switch after, dot := strings.CutPrefix(rest, "."); {
	case n.Func == "glob" && strings.HasPrefix(rest, ".."):
		n.Func, n.Suffix = "glob.", after

	case dot && n.Func != "init":
		// A second declared name makes the first one a receiver.
		if second, _ := component(after); !generated(second) && !strings.ContainsAny(second, "([") {
			n.Receiver = n.Func
			n.Func, n.Suffix = cutSuffix(after)
		}
	}
}

// String returns the name as a stack trace prints it.
func (n Name) String() string {
	if n.Package == "" {
		return n.local(n.TypeArgs)
	}
	return escape(n.Package) + "." + n.local(n.TypeArgs)
}

// Local returns the name without its package and type arguments: F, T.M, (*T).M, F.func1.
func (n Name) Local() string { return removeTypeArgs(n.local("")) }

// Decl returns the name of the declared function, as Local without the suffix: F, T.M or (*T).M.
func (n Name) Decl() string {
	n.Suffix = ""
	return n.local("")
}

// local returns the name behind the package, with the given type arguments.
func (n Name) local(typeArgs string) string {
	switch {
	case n.Receiver == "":
		return n.Func + typeArgs + n.Suffix
	case n.Pointer:
		return "(*" + n.Receiver + typeArgs + ")." + n.Func + n.Suffix
	}
	return n.Receiver + typeArgs + "." + n.Func + n.Suffix
}

// Type returns the qualified receiver type with its type arguments, path.T or path.T[...], and ""
// for a function.
func (n Name) Type() string {
	if n.Receiver == "" {
		return ""
	}
	return escape(n.Package) + "." + n.Receiver + n.TypeArgs
}

// Exported reports whether other packages can call the function by its name: it is declared, and
// the names of the function and of its receiver's type are exported.
func (n Name) Exported() bool {
	return n.Suffix == "" && token.IsExported(n.Func) &&
		(n.Receiver == "" || token.IsExported(n.Receiver))
}

// Literal reports whether the code belongs to a function literal, to a go or defer statement, which
// the compiler wraps into a literal, or to the body of a range-over-func loop.
func (n Name) Literal() bool {
	separator := func(r rune) bool { return r == '.' || r == '-' }
	parts := strings.FieldsFunc(removeTypeArgs(n.Suffix), separator)
	return slices.ContainsFunc(parts,
		func(p string) bool { return wrapped(p) || numbered(p, "range") })
}

// Initializes reports whether the code belongs to the initialization of package-level variables or
// to an init function, rather than to a function that can be called.
func (n Name) Initializes() bool {
	return n.Receiver == "" && (n.Func == "glob." || n.Func == "init")
}

// Declared returns the names of functions, methods and types in n that a source file may declare,
// in the order in which they occur. For p.F.G.func1 these are F and G.
func (n Name) Declared() []string {
	if n.Package == "" {
		return nil
	}
	var out []string
	for rest := "." + n.local(""); rest != ""; {
		var part string
		part, rest = component(rest[1:])
		part, _, _ = strings.Cut(part, "-")
		part, _ = cutTypeArgs(part)
		if part != "" && !generated(part) && part != "init" && part != "glob" && part[0] != '(' {
			out = append(out, part)
		}
	}
	return out
}

// Inside reports whether n is the name of the function that is declared as decl (F, T.M or (*T).M)
// or of code inside it. For a method that is declared as (*T).M, the name T.M counts, too.
func (n Name) Inside(decl string) bool {
	if n.Package == "" {
		return false
	}
	local := n.Local()
	for _, d := range []string{decl, strings.NewReplacer("(*", "", ")", "").Replace(decl)} {
		rest, ok := strings.CutPrefix(local, d)
		if ok && (rest == "" || rest[0] == '.' || rest[0] == '-') {
			return true
		}
	}
	return false
}

// Plain returns a function's name without type arguments: the names of the instances of a generic
// function, which differ between stack traces and symbol tables, are equal without them.
func Plain(name string) string {
	if strings.IndexByte(name, '[') < 0 {
		return name
	}
	return removeTypeArgs(name)
}

// Parent returns a plain name without its last component: the package of a function, the receiver
// of a method, the enclosing function of a literal; the name itself if it has one component.
func Parent(plain string) string {
	if i := strings.LastIndexByte(plain, '.'); i >= 0 {
		return plain[:i]
	}
	return plain
}

// Short returns the name of a function, type or variable without the directories of its import
// path: pkg.F for example.com/m/pkg.F.
func Short(name string) string {
	head, _, _ := strings.Cut(name, "[")
	return name[strings.LastIndexByte(head, '/')+1:]
}

// cutPackage cuts a name at the dot between the escaped import path and the rest.
func cutPackage(name string) (path, local string, ok bool) {
	base := Short(name)
	last, local, ok := strings.Cut(base, ".")
	path = name[:len(name)-len(base)] + last
	if !ok || path == "" || local == "" || strings.ContainsAny(last, "()[]*") {
		return "", "", false
	}
	return path, local, true
}

// component cuts off the first component of a local name, up to a dot outside of brackets and
// parentheses; rest begins with that dot.
func component(local string) (first, rest string) {
	depth := 0
	for i := range len(local) {
		switch local[i] {
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		case '.':
			if depth <= 0 {
				return local[:i], local[i:]
			}
		}
	}
	return local, ""
}

// cutSuffix cuts the first component off a local name, at a dot or a hyphen.
func cutSuffix(local string) (name, suffix string) {
	if i := strings.IndexAny(local, ".-"); i >= 0 {
		return local[:i], local[i:]
	}
	return local, ""
}

// cutTypeArgs cuts the type arguments off a name; names whose brackets do not end them are left
// alone.
func cutTypeArgs(name string) (plain, args string) {
	if i := strings.IndexByte(name, '['); i >= 0 && i+brackets(name[i:]) == len(name) {
		return name[:i], name[i:]
	}
	return name, ""
}

// brackets returns the length of the bracketed text that s begins with; 0 if it is not closed.
func brackets(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// removeTypeArgs removes all bracketed texts that are closed.
func removeTypeArgs(name string) string {
	var out strings.Builder
	for {
		i := strings.IndexByte(name, '[')
		if i < 0 {
			break
		}
		n := brackets(name[i:])
		if n == 0 {
			break
		}
		out.WriteString(name[:i])
		name = name[i+n:]
	}
	return out.String() + name
}

// generated reports whether the compiler made a component: one that no source declares.
func generated(part string) bool {
	part, _, _ = strings.Cut(part, "-")
	return part == "" || wrapped(part) || numbered(part, "")
}

// wrapped reports whether a component is that of a function literal.
func wrapped(part string) bool {
	part, _, _ = strings.Cut(part, "-")
	return numbered(part, "func") || numbered(part, "gowrap") || numbered(part, "deferwrap")
}

// numbered reports whether part is prefix with a decimal number.
func numbered(part, prefix string) bool {
	digits, ok := strings.CutPrefix(part, prefix)
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}
