package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// validate.py, which shares no code with our validator, agrees with it on the examples and on every
// way to break them in one place.
func TestPythonAgrees(t *testing.T) {
	const python = "/usr/bin/python3"
	if err := exec.Command(python, "-c", "import jsonschema").Run(); err != nil {
		t.Skip("the system's Python has no jsonschema: ", err)
	}
	dir := t.TempDir()
	valid := map[string]bool{} // by file
	add := func(doc, ext string, text []byte) {
		file := filepath.Join(dir, fmt.Sprintf("%s-%d%s", doc, len(valid), ext))
		if err := os.WriteFile(file, text, 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := rewrite[doc](text)
		// validate.py does not know the checks of consistent.go.
		valid[file] = err == nil || doc != TraceName && schemaOf(doc).validate(text) == nil
	}

	for _, doc := range Names {
		if doc == TraceName {
			continue // below
		}
		text := example(t, doc)
		add(doc, ".json", text)
		each(tree(text), func(broken any) { add(doc, ".json", appendTree(nil, broken)) })
	}
	text := example(t, TraceName)
	lines := bytes.SplitAfter(text, []byte("\n"))
	add(TraceName, ".jsonl", text)
	add(TraceName, ".jsonl", text[:len(text)-4])
	add(TraceName, ".jsonl.gz", zip(text))
	add(TraceName, ".jsonl.gz", zip(text)[:300])
	each(tree(lines[0]), func(broken any) { add(TraceName, ".jsonl", appendTree(nil, broken)) })
	each(tree(lines[2]), func(broken any) {
		add(TraceName, ".jsonl",
			appendTree(bytes.Clone(lines[0]), broken))
	})

	cmd := exec.Command(python, "validate.py")
	for file := range valid {
		cmd.Args = append(cmd.Args, file)
	}
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Fatalf("validate.py: %v, want exit status 1", err)
	}
	problem := map[string]string{}
	for line := range strings.Lines(string(out)) {
		file, what, _ := strings.Cut(strings.TrimSpace(line), ": ")
		problem[file] = what
	}
	refused := 0
	for file, valid := range valid {
		what, bad := problem[file]
		if valid == bad {
			text, _ := os.ReadFile(file)
			t.Errorf("valid in Go: %v; validate.py reports %q for\n...%s", valid, what,
				text[max(0, len(text)-1000):])
		}
		if bad {
			refused++
		}
	}
	t.Logf("%d files, %d refused by both", len(valid), refused)
}

// each calls yield with copies of the tree v that differ from it in one place: a value has another
// type or is out of range, a key is missing, or a key is added. Of places that differ only in an
// index, each changes the first.
func each(v any, yield func(any)) { eachBelow("", v, map[string]bool{}, yield) }

func eachBelow(path string, v any, done map[string]bool, yield func(any)) {
	if !done[path] {
		for _, other := range []any{nil, true, "?", json.Number("-1"), json.Number("0.5"), []any{},
			object{}} {
			yield(other)
		}
	}
	switch v := v.(type) {
	case object:
		if !done[path] {
			yield(append(v[:len(v):len(v)], member{"new", nil}))
		}
		for i, m := range v {
			below := path + "." + m.key
			if !done[below] {
				yield(append(v[:i:i], v[i+1:]...))
			}
			eachBelow(below, m.value, done, func(broken any) {
				o := append(object{}, v...)
				o[i].value = broken
				yield(o)
			})
		}

	case []any:
		for i, e := range v {
			eachBelow(path+"[]", e, done, func(broken any) {
				a := append([]any{}, v...)
				a[i] = broken
				yield(a)
			})
		}
	}
	done[path] = true
}

// appendTree appends the JSON text of v, a tree.
func appendTree(text []byte, v any) []byte {
	switch v := v.(type) {
	case object:
		text = append(text, '{')
		for i, m := range v {
			if i > 0 {
				text = append(text, ',')
			}
			text = append(appendTree(text, m.key), ':')
			text = appendTree(text, m.value)
		}
		return append(text, '}')

	case []any:
		text = append(text, '[')
		for i, e := range v {
			if i > 0 {
				text = append(text, ',')
			}
			text = appendTree(text, e)
		}
		return append(text, ']')

	default:
		scalar, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		return append(text, scalar...)
	}
}
