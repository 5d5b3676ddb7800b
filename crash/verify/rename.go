package verify

import (
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"dsd/crash/gofile"
	"dsd/schemas"
)

// numbered matches the name of a test that is not the first of its name.
var numbered = regexp.MustCompile(`^(.*)_\d+$`)

// hexDigits is how much of a fingerprint is part of a name.
const hexDigits = 6

// RenameTests gives lasting names to the tests of crashes that share a name: part of the fingerprint
// takes the place of the number, so that a test keeps its name when others of that name come and go.
// A test that is alone has no number. The crashes have fingerprints.
func RenameTests(crashes []schemas.Crash) {
	groups := map[string][]*schemas.Test{}
	prints := map[*schemas.Test]string{}
	for i := range crashes {
		t := &crashes[i].Test
		base := t.Name
		if m := numbered.FindStringSubmatch(base); m != nil {
			base = m[1]
		}
		key := t.Package + " " + strings.ToLower(base)
		groups[key] = append(groups[key], t)
		prints[t] = crashes[i].Fingerprint
	}
	for _, group := range groups {
		if len(group) == 1 {
			setName(group[0], "")
			continue
		}
		slices.SortFunc(group, func(a, b *schemas.Test) int { return strings.Compare(prints[a], prints[b]) })
		taken := map[string]bool{}
		for _, t := range group {
			end := prints[t][:min(hexDigits, len(prints[t]))]
			if end == "" || taken[end] {
				continue // it keeps the number
			}
			taken[end] = true
			setName(t, "_"+end)
		}
	}
}

// setName puts an end in place of the number at the end of a test's name, if there is one.
func setName(t *schemas.Test, end string) {
	name, file := t.Name, strings.TrimSuffix(t.File, "_test.go")
	if m := numbered.FindStringSubmatch(name); m != nil {
		name = m[1]
		file = strings.TrimSuffix(file, t.Name[len(name):])
	}
	if name += end; name != t.Name {
		rename(t, name)
		t.File = file + end + "_test.go"
	}
}

// rename gives a test another name, and to the types that its file declares.
func rename(t *schemas.Test, name string) {
	oldPrefix, prefix := gofile.NamePrefix(t.Name), gofile.NamePrefix(name)
	var out strings.Builder
	src := []byte(t.Source)
	fset := token.NewFileSet()
	var s scanner.Scanner
	file := fset.AddFile("", fset.Base(), len(src))
	s.Init(file, src, func(token.Position, string) {}, scanner.ScanComments)
	at := 0
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		to := lit
		switch {
		case tok == token.COMMENT:
			to = strings.ReplaceAll(strings.ReplaceAll(lit, t.Name, name), oldPrefix, prefix)
		case tok == token.IDENT && lit == t.Name:
			to = name
		case tok == token.IDENT && strings.HasPrefix(lit, oldPrefix):
			to = prefix + strings.TrimPrefix(lit, oldPrefix)
		}
		if to != lit {
			from := file.Offset(pos)
			out.Write(src[at:from])
			out.WriteString(to)
			at = from + len(lit)
		}
	}
	out.Write(src[at:])
	t.Name, t.Source = name, out.String()
}
