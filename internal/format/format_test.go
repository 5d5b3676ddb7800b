package format

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"dsd/internal/baseline"
	"dsd/internal/text"
	"dsd/schemas"
)

var update = flag.Bool("update", false, "write the expected outputs")

// crashes is a document with two crashes.
func crashes() *schemas.Crashes {
	return &schemas.Crashes{
		Header: schemas.Header{Module: schemas.Module{Path: "example.com/shop"}},
		Crashes: []schemas.Crash{{
			ID: "C1", Fingerprint: "0123456789abcdef", Kind: schemas.Index, Func: "example.com/shop/cart.(*Cart).Price",
			Pos: "cart/cart.go:3:13", Message: "runtime error: index out of range [1] with length 0", Rank: schemas.LikelyBug,
			Stack: []schemas.Frame{{Func: "example.com/shop/cart.at", Pos: "cart/cart.go:3"},
				{Func: "example.com/shop/cart.(*Cart).Price", Pos: "cart/cart.go:7"}},
			Inputs: "\tc := New()\n\tc.Price(1)", Score: 7,
			Signs: []schemas.Sign{{Name: "returned-value", Weight: 2, Text: "the call uses what the package's own functions returned"}},
			Test:  schemas.Test{Package: "example.com/shop/cart", File: "crash_price_index_test.go", Name: "TestCrashPriceIndex"},
		}, {
			ID: "C2", Kind: schemas.ExplicitPanic, Func: "example.com/shop.Month", Pos: "example.com/month@v1.2.0/month.go:5",
			Message: "no month 13", Rank: schemas.Contract, Inputs: "\tMonth(13)",
			Stack: []schemas.Frame{{Func: "example.com/shop.Month", Pos: "shop.go:9"}},
			Test:  schemas.Test{Package: "example.com/shop", File: "crash_month_test.go"},
		}},
		Skipped: []schemas.Skipped{{Func: "example.com/shop.Wait", Reason: "it takes a channel"}},
	}
}

// warnings is a document with three warnings.
func warnings() *schemas.Warnings {
	return &schemas.Warnings{
		Header: schemas.Header{Module: schemas.Module{Path: "example.com/shop"}},
		Warnings: []schemas.Warning{
			{ID: "W1", Fingerprint: "fedcba9876543210", Kind: schemas.DivZero, Func: "example.com/shop.Mean", Pos: "shop.go:4:9",
				Message: "n is 0", Status: schemas.Sat, Path: []schemas.Step{{Pos: "shop.go:3:5", Note: "sum > 0"}}},
			{ID: "W2", Kind: schemas.NilDeref, Func: "example.com/shop.Name", Pos: "shop.go:8:2", Message: "u is nil", Status: schemas.Free},
			{ID: "W3", Kind: schemas.Index, Func: "example.com/shop.At", Pos: "shop.go:9:2", Message: "i is out of range",
				Status: schemas.Unknown},
		},
	}
}

// lines are the sources of the reports.
func lines(file string, line int) string {
	if file == "cart/cart.go" && line == 3 {
		return "\treturn äö𝕏[i]" // columns count bytes in positions
	}
	return ""
}

func all(*schemas.Crash) bool { return true }

func order(a, b *schemas.Crash) int { return strings.Compare(a.ID, b.ID) }

// reports are the reports of the documents.
func reports() map[string]*Report {
	c, w := Crashes(crashes(), all, order), Warnings(warnings())
	c.Version, c.Prefix, c.Line = "1.0", "sub/shop", lines
	c.Findings[0].Fix = &Fix{Summary: "return early unless i > 0", File: "cart/cart.go", Edits: []Edit{
		{FromLine: 2, FromCol: 1, ToLine: 2, ToCol: 1, Text: "\tif i <= 0 {\n\t\treturn 0\n\t}\n"},
		{FromLine: 3, FromCol: 9, ToLine: 3, ToCol: 17, Text: "x"}, // äö𝕏: 8 bytes, 4 UTF-16 units
	}}
	before := crashes()
	before.Crashes[1].Fingerprint, before.Crashes[1].ID = "fedcba9876543210", "C7"
	compared, err := baseline.Crashes(crashes(), before)
	if err != nil {
		panic(err)
	}
	return map[string]*Report{"crashes": c, "warnings": w, "compared": Crashes(compared, all, order)}
}

// TestWrite compares each format of each document with testdata; -update writes it.
func TestWrite(t *testing.T) {
	for name, r := range reports() {
		for _, as := range Names {
			if as == "html" { // scripts/browser.py looks at it
				continue
			}
			var out bytes.Buffer
			if err := Write(&out, as, r); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", name+"."+as)
			if *update {
				if err := os.WriteFile(file, out.Bytes(), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(out.Bytes(), want) {
				t.Errorf("%s: got\n%s", file, out.Bytes())
			}
		}
	}
	if err := Write(nil, "none", nil); err == nil {
		t.Error("a format that is none is written")
	}
}

// validate checks files with SARIF's own schema.
const validate = `
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
for name in sys.argv[2:]:
    jsonschema.Draft7Validator(schema).validate(json.load(open(name)))
`

// TestSARIF: the logs fit the schema that belongs to the specification. Hostile texts do not change that.
func TestSARIF(t *testing.T) {
	if exec.Command("/usr/bin/python3", "-c", "import jsonschema").Run() != nil {
		t.Skip("python3-jsonschema is not installed")
	}
	dir := t.TempDir()
	args := []string{"-c", validate, "testdata/sarif-schema-2.1.0.json"}
	for name, r := range reports() {
		args = append(args, write(t, dir, name, r))
	}
	args = append(args, write(t, dir, "hostile", hostile("]]>&<\x00\x1b[31m\"'`\xff%0A::error::x\u2028,")), write(t, dir, "empty", &Report{Tool: "check"}))
	if out, err := exec.Command("/usr/bin/python3", args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	bad := filepath.Join(dir, "bad.sarif") // so that the check is known to check
	if err := os.WriteFile(bad, []byte(`{"version": "2.1.0", "runs": [{"results": []}]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if exec.Command("/usr/bin/python3", append(args[:3], bad)...).Run() == nil {
		t.Error("a log without a tool is valid")
	}
}

func write(t *testing.T, dir, name string, r *Report) string {
	t.Helper()
	var out bytes.Buffer
	if err := writeSARIF(&out, r); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, name+".sarif")
	if err := os.WriteFile(file, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// hostile returns a report in which every text is s.
func hostile(s string) *Report {
	doc := crashes()
	c := &doc.Crashes[0]
	c.Func, c.Pos, c.Message, c.Inputs, c.Test.File, c.Signs[0].Text = s, s+":3:4", s, s, s, s
	c.Stack[0] = schemas.Frame{Func: s, Pos: s}
	doc.Skipped[0] = schemas.Skipped{Func: s, Reason: s}
	r := Crashes(doc, all, order)
	r.Line = func(string, int) string { return s }
	return r
}

// FuzzWrite: whatever the texts are, JSON and XML can be read back with as many findings, and a workflow command is
// one line without control characters.
func FuzzWrite(f *testing.F) {
	for _, s := range []string{"", "a", "]]>", "\x1b[0m", "\xff\xfe", "::error::", "%0A", "\r\n", "&lt;", "\u2028", "a:b:3:4", "../x", "@", "``````", "\u009b31m", "\u202e"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r := hostile(s)
		var out bytes.Buffer
		var log sarifLog
		if err := Write(&out, "sarif", r); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(out.Bytes(), &log); err != nil || len(log.Runs) != 1 || len(log.Runs[0].Results) != 2 {
			t.Fatalf("sarif: %v", err)
		}
		out.Reset()
		var suites junitSuites
		if err := Write(&out, "junit", r); err != nil {
			t.Fatal(err)
		}
		if out.String() != text.Visible(out.String()) {
			t.Fatalf("junit: a terminal acts on %q", out.String())
		}
		if err := xml.Unmarshal(out.Bytes(), &suites); err != nil || suites.Tests != 2 {
			t.Fatalf("junit: %v\n%s", err, out.Bytes())
		}
		out.Reset()
		var issues []codeClimateIssue
		if err := Write(&out, "codeclimate", r); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(out.Bytes(), &issues); err != nil || len(issues) != 2 || issues[0].Fingerprint == "" ||
			issues[0].Location.Lines.Begin < 1 {
			t.Fatalf("codeclimate: %v\n%s", err, out.Bytes())
		}
		out.Reset()
		var files checkstyle
		if err := Write(&out, "checkstyle", r); err != nil {
			t.Fatal(err)
		}
		if out.String() != text.Visible(out.String()) {
			t.Fatalf("checkstyle: a terminal acts on %q", out.String())
		}
		n := 0
		err := xml.Unmarshal(out.Bytes(), &files)
		for _, f := range files.Files {
			n += len(f.Errors)
		}
		if err != nil || n != 2 {
			t.Fatalf("checkstyle: %v\n%s", err, out.Bytes())
		}
		out.Reset()
		if err := Write(&out, "github", r); err != nil {
			t.Fatal(err)
		}
		if out.String() != text.Visible(out.String()) {
			t.Fatalf("github: a terminal acts on %q", out.String())
		}
		list := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if len(list) != 2 || !strings.HasPrefix(list[0], "::error file=") || !strings.HasPrefix(list[1], "::notice file=") ||
			strings.ContainsFunc(list[0], func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }) {
			t.Fatalf("github: %q", list)
		}
		out.Reset()
		if err := Write(&out, "html", r); err != nil {
			t.Fatal(err)
		}
		page := out.String()
		_, rest, _ := strings.Cut(page, `<script type="application/json" id="data">`)
		script, _, _ := strings.Cut(rest, "</script>")
		var data htmlData
		if err := json.Unmarshal([]byte(script), &data); err != nil || len(data.Crashes) != 2 ||
			strings.Count(page, "<script") != 2 || strings.Count(page, "</script") != 2 || strings.Count(page, "<!--") > 0 {
			t.Fatalf("html: %v\n%s", err, script)
		}
		out.Reset()
		if err := Write(&out, "jsonl", r); err != nil || strings.Count(out.String(), "\n") != 2 {
			t.Fatalf("jsonl: %v, %q", err, out.String())
		}
	})
}
