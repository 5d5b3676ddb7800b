// Package ignore reads the comments by which people say that a warning or crash is none:
//
//	//lint:ignore dsd/index the caller checked the length
//	return list[0]
//
//	x := table[i] //lint:ignore dsd/index,dsd/nil-deref init fills the table
//
//	//lint:file-ignore dsd/* generated
//
// The form is that of staticcheck, whose checks have other names: comments without dsd are not ours. A comment
// before a statement, or at the end of one of its lines, is about the statement without the blocks in it; a
// comment about a file is about all of it. A reason must follow.
package ignore

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"dsd/internal/fingerprint"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// prefix begins the names of our checks.
const prefix = "dsd/"

// Problems of directives, besides that nothing matches.
const (
	noReason    = "the reason is missing"
	unknownKind = "there is no kind of panic %s: see check list"
)

// Directives are those of a program. It must not be used by several goroutines at the same time.
type Directives struct {
	sites *fingerprint.Sites
	// List are the directives, in the order of the files.
	List []*Directive
	// byLine and byFile are those without a problem.
	byLine map[symbol.Pos][]*Directive
	byFile map[string][]*Directive
}

// Directive is one comment.
type Directive struct {
	schemas.Directive
	kinds []string // without the prefix; "*" is all
	file  bool     // whether it is about the whole file
	line  int      // the line that it is about, if not the whole file
}

// Read reads the directives in the packages of prog that were asked for.
func Read(prog *source.Program) *Directives {
	d := &Directives{sites: fingerprint.New(prog), byLine: map[symbol.Pos][]*Directive{}, byFile: map[string][]*Directive{}}
	for _, pkg := range prog.Packages {
		for _, f := range pkg.Files {
			d.readFile(prog, f)
		}
	}
	return d
}

// readFile reads the directives of a file.
func (d *Directives) readFile(prog *source.Program, f *ast.File) {
	position := func(pos token.Pos) symbol.Pos { return symbol.ParsePos(prog.Pos(pos)) }
	var code map[int]bool // the lines on which code begins or ends; made when there is a directive
	for _, group := range f.Comments {
		for _, comment := range group.List {
			text, file := strings.CutPrefix(comment.Text, "//lint:file-ignore ")
			if !file {
				var ok bool
				if text, ok = strings.CutPrefix(comment.Text, "//lint:ignore "); !ok {
					continue
				}
			}
			x := parse(text)
			if x == nil {
				continue
			}
			at := position(comment.Pos())
			x.Pos, x.Text, x.file = at.String(), comment.Text, file
			d.List = append(d.List, x)
			if x.Problem != "" {
				continue
			}
			if file {
				d.byFile[at.File] = append(d.byFile[at.File], x)
				continue
			}
			if code == nil {
				code = codeLines(prog, f)
			}
			line := symbol.Pos{File: at.File, Line: at.Line}
			if !code[at.Line] { // the next line with code
				line.Line = position(group.End()).Line + 1
			}
			x.line = line.Line
			d.byLine[line] = append(d.byLine[line], x)
		}
	}
}

// codeLines returns the lines of a file on which a node begins or ends.
func codeLines(prog *source.Program, f *ast.File) map[int]bool {
	out := map[int]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.CommentGroup, *ast.Comment:
			return false
		case *ast.File:
			return true
		}
		out[prog.Fset.PositionFor(n.Pos(), false).Line] = true
		out[prog.Fset.PositionFor(n.End(), false).Line] = true
		return true
	})
	return out
}

// parse reads what follows //lint:ignore; nil if it names none of our checks.
func parse(text string) *Directive {
	checks, reason, _ := strings.Cut(strings.TrimSpace(text), " ")
	x := &Directive{}
	for _, name := range strings.Split(checks, ",") {
		kind, ok := strings.CutPrefix(name, prefix)
		if name == "dsd" {
			kind, ok = "*", true
		}
		if !ok {
			continue
		}
		x.kinds = append(x.kinds, kind)
		if kind != "*" && !slices.Contains(schemas.Kinds, schemas.Kind(kind)) {
			x.Problem = strings.Replace(unknownKind, "%s", kind, 1)
		}
	}
	if len(x.kinds) == 0 {
		return nil
	}
	if x.Reason = strings.TrimSpace(reason); x.Reason == "" {
		x.Problem = noReason
	}
	return x
}

// Reason returns the reason of a directive for a panic of a kind at a position, as documents write it; "" if there
// is none. The directives that are about it count one match more.
func (d *Directives) Reason(kind schemas.Kind, pos string) string {
	at := symbol.ParsePos(pos)
	lines := []symbol.Pos{at.WithoutCol()}
	for _, line := range d.sites.Lines(at) {
		lines = append(lines, symbol.Pos{File: at.File, Line: line})
	}
	list := d.byFile[at.File]
	for _, line := range lines {
		for _, x := range d.byLine[line] {
			if !slices.Contains(list, x) {
				list = append(slices.Clip(list), x)
			}
		}
	}
	reason := ""
	for _, x := range list {
		if slices.Contains(x.kinds, "*") || slices.Contains(x.kinds, string(kind)) {
			x.Matches++
			if reason == "" {
				reason = x.Reason
			}
		}
	}
	return reason
}

// Judge counts for each directive the functions that the line it is about is in, or that are in its file, and those of
// them that were analyzed, by name.
func (d *Directives) Judge(prog *source.Program, analyzed map[string]bool) {
	for _, pkg := range prog.Packages {
		for _, f := range pkg.Funcs() {
			from, to := symbol.ParsePos(prog.Pos(f.Decl.Pos())), symbol.ParsePos(prog.Pos(f.Decl.End()))
			for _, x := range d.List {
				if symbol.ParsePos(x.Pos).File != from.File || !x.file && (x.line < from.Line || x.line > to.Line) {
					continue
				}
				x.Functions++
				if analyzed[f.Name] {
					x.Analyzed++
				}
			}
		}
	}
}

// Documented returns the directives as documents have them.
func (d *Directives) Documented() []schemas.Directive {
	var out []schemas.Directive
	for _, x := range d.List {
		out = append(out, x.Directive)
	}
	return out
}

// Crashes marks the crashes of prog that directives say to ignore.
func Crashes(prog *source.Program, list []schemas.Crash) {
	if len(list) == 0 {
		return
	}
	d := Read(prog)
	if len(d.List) == 0 {
		return
	}
	for i := range list {
		list[i].Ignored = d.Reason(list[i].Kind, list[i].Pos)
	}
}
