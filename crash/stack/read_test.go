package stack

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// showAll prints all fields of a Panic.
func showAll(p *Panic) string {
	if p == nil {
		return "nothing\n"
	}
	s := fmt.Sprintf("%s: %s\n", p.Kind, p.Message)
	for _, v := range p.Values() {
		s += fmt.Sprintf("%s = %s\n", v.Name, v.Text)
	}
	for _, m := range p.Later {
		s += "then: " + m + "\n"
	}
	for _, f := range p.Frames {
		s += fmt.Sprintf("%s(%s) %s:%d", f.Func, f.Args, f.File, f.Line)
		if f.Offset > 0 {
			s += fmt.Sprintf(" +%d", f.Offset)
		}
		s += "\n"
	}
	if p.Elided {
		s += "elided\n"
	}
	if p.CreatedBy != "" {
		s += "created by " + p.CreatedBy + "\n"
	}
	return s
}

// TestRead reads texts as people find them. Each archive in testdata/read holds one.
func TestRead(t *testing.T) {
	files, err := filepath.Glob("testdata/read/*.txt")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d texts, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			a := readArchive(t, file)
			got := showAll(Read(a["output"]))
			if *update {
				a["want"] = got
				a.write(t, file)
			}
			if got != a["want"] {
				t.Errorf("got\n%swant\n%s", got, a["want"])
			}
		})
	}
}

// TestReadReal checks that Read and Parse agree on texts as Go printed them.
func TestReadReal(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out := readArchive(t, file)["output"]
		if got, want := show(Read(out)), show(Parse(out)); got != want {
			t.Errorf("%s: got\n%swant\n%s%s", file, got, want, text)
		}
	}
}

// TestWords also parses texts that the runtime does not print.
func TestWords(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"", ""},
		{"...", "more"},
		{"0x1, 0x2?, _, ...", "1 2? - more"},
		{"{0x4c9e1c, 0x3}, {{0x0, 0x0}, 0x1, ...}, 0xffffffffffffffff",
			"(5021212 3) ((0 0) 1 more) 18446744073709551615"},
		{"{}, {", "() ()"},
		{"}{", ""},
		{strings.Repeat("{", 1000), "(((((((((())))))))))"}, // deeper groups are skipped
	} {
		if got := showWords(Words(test.args)); got != test.want {
			t.Errorf("Words(%q) = %s, want %s", test.args, got, test.want)
		}
	}
}

// showWords prints words: "-" for an unknown one, "?" after one that may have been overwritten.
func showWords(words []Word) string {
	var parts []string
	for _, w := range words {
		switch {
		case w.Parts != nil:
			parts = append(parts, "("+showWords(w.Parts)+")")
		case w.More:
			parts = append(parts, "more")
		case !w.Known:
			parts = append(parts, "-")
		case !w.Sure:
			parts = append(parts, fmt.Sprintf("%d?", w.Value))
		default:
			parts = append(parts, fmt.Sprint(w.Value))
		}
	}
	return strings.Join(parts, " ")
}

// FuzzRead checks the form of what Read returns for any text.
func FuzzRead(f *testing.F) {
	for _, pattern := range []string{"testdata/read/*.txt", "testdata/*.txt"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			if text := readArchive(f, file)["output"]; len(text) < 6000 {
				f.Add(text)
			}
		}
	}
	files, err := filepath.Glob("testdata/tools/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		if len(text) < 6000 {
			f.Add(string(text))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := Read(text)
		if p == nil {
			return
		}
		for _, fr := range p.Frames {
			if fr.Func == "" || fr.Line < 0 || fr.Offset < 0 || fr.Func == "panic" ||
				strings.Contains(fr.Func, "\n") {
				t.Fatalf("%q: frame %+v", text, fr)
			}
			Words(fr.Args)
		}
		if strings.Contains(p.Message, "\n") {
			t.Fatalf("%q: message %q", text, p.Message)
		}
		for _, v := range p.Values() {
			if v.Name == "" || v.Text == "" {
				t.Fatalf("%q: value %+v", text, v)
			}
		}
	})
}
