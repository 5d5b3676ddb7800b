package schemas

import (
	"bytes"
	"errors"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// rewrite holds for each document a function that reads a text and writes it again.
var rewrite = map[string]func(text []byte) ([]byte, error){
	InvariantsName: func(text []byte) ([]byte,
		error) {
		return reread(text, ReadInvariants, WriteInvariants)
	},
	WarningsName: func(text []byte) ([]byte,
		error) {
		return reread(text, ReadWarnings, WriteWarnings)
	},
	CrashesName: func(text []byte) ([]byte,
		error) {
		return reread(text, ReadCrashes, WriteCrashes)
	},
	PanicName:  func(text []byte) ([]byte, error) { return reread(text, ReadPanic, WritePanic) },
	ModelsName: func(text []byte) ([]byte, error) { return reread(text, ReadModels, WriteModels) },
	ChangesName: func(text []byte) ([]byte,
		error) {
		return reread(text, ReadChanges, WriteChanges)
	},
	RecordingName: func(text []byte) ([]byte,
		error) {
		return reread(text, ReadRecording, WriteRecording)
	},
	TraceName: rewriteTrace,
}

func reread[D any](
	text []byte, read func(io.Reader, string) (D, error), write func(io.Writer, D) error,
) ([]byte, error) {
	d, err := read(bytes.NewReader(text), "in")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := write(&out, d); err != nil {
		panic(err) // a document that was read must be writable
	}
	again, err := read(&out, "again")
	if err != nil {
		panic(err) // and readable again
	}
	if !reflect.DeepEqual(d, again) {
		panic("writing and reading again changed the document")
	}
	out.Reset()
	err = write(&out, again)
	return out.Bytes(), err
}

func example(t testing.TB, doc string) []byte {
	t.Helper()
	file := "testdata/" + doc + ".json"
	if doc == TraceName {
		file += "l"
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestRoundTrip(t *testing.T) {
	for doc, rewrite := range rewrite {
		text := example(t, doc)
		got, err := rewrite(text)
		if err != nil {
			t.Errorf("%s: %v", doc, err)
		} else if !bytes.Equal(got, text) {
			t.Errorf("%s: written again:\n%s\nwant\n%s", doc, got, text)
		}
	}
}

func TestReadInvariantsRefuses(t *testing.T) {
	const head = `{"schema": "dsd/invariants/v1", "module": {"path": "m"}, `
	point := func(invariant string) string {
		return head + `"points": [{"func": "m.F", "at": "exit", "samples": 1, "invariants": [` +
			invariant + `]}]}`
	}
	const good = `{"id": "I1", "template": "equal", "vars": [], "expr": "x == y", ` +
		`"samples": 1, "confidence": 1, "assumed": true}`
	for _, test := range []struct{ text, want string }{
		// Is it JSON?
		{"", `in: is empty`},
		{" \n\t", `in: is empty`},
		{"warnings\n",
			`in: is not JSON: line 1, column 1: invalid character 'w' looking for beginning of value`},
		{"{\n  \"schema\": dsd\n}",
			`in: is not JSON: line 2, column 13: invalid character 'd' looking for beginning of value`},
		{"\xef\xbb\xbf{}",
			`in: is not JSON: line 1, column 1: invalid character 'ï' looking for beginning of value`},
		{`{"schema": "dsd/inva`, `in: is cut off after 20 bytes`},
		{head + `"points": [`, `in: is cut off after 68 bytes`},
		{strings.Repeat("[", 20000),
			`in: is not JSON: line 1, column 10001: invalid character '[' exceeded max depth`},

		// Is it the right document?
		{`[1, 2]`, `in: has no "schema": not a dsd document`},
		{`null`, `in: has no "schema": not a dsd document`},
		{`{"Schema": "dsd/invariants/v1"}`, `in: has no "schema": not a dsd document`},
		{`{"schema": {"a": 1}}`,
			`in: has a "schema" that is not a string but object: not a dsd document`},
		{`{"schema": "sarif\n2.1.0"}`, `in: has the schema "sarif\n2.1.0": not a dsd document`},
		{`{"schema": "dsd/invariants/v0"}`, `in: has the schema "dsd/invariants/v0": not a dsd document`},
		{`{"schema": "dsd/warnings/v1"}`, `in: is a dsd/warnings/v1 document, want dsd/invariants/v1`},
		{`{"schema": "dsd/recording/v3"}`, `in: is a dsd/recording/v3 document, want dsd/invariants/v1`},
		{`{"schema": "dsd/invariants/v2", "new": null}`,
			`in: is dsd/invariants/v2; this program reads v1: update dsd`},
		{string(example(t, TraceName)), `in: is a dsd/trace/v1 document, want dsd/invariants/v1`},

		// Does it satisfy the schema?
		{`{"schema": "dsd/invariants/v1"}`, `in: "module" is missing`},
		{head + `"points": null}`, `in: points: want an array, got null`},
		{head + `"point": []}`, `in: point: unknown field`},
		{head + `"a b\n": []}`, `in: ["a b\n"]: unknown field`},
		{head + `"points": [], "points": []}`, `in: points: appears twice`},
		{head + `"points": [], "schema": "dsd/invariants/v2"}`, `in: schema: appears twice`},
		{head + `"points": [], "incomplete": 1}`, `in: incomplete: want a boolean, got number`},
		{head + `"points": ["m.F"]}`, `in: points[0]: want an object, got string`},
		{head + `"points": [{"func": "m.F", "at": "exti"}]}`,
			`in: points[0].at: "exti" does not match ^(entry|exit[0-9]*|panic|type)$`},
		{head + `"points": [{"func": "F"}]}`, `in: points[0].func: "F" does not match ^.+\..+$`},
		{head + `"points": [{"func": "m.F", "at": "exit", "samples": 1}]}`,
			`in: points[0]: "invariants" is missing`},
		{head + `"points": [{"samples": -1}]}`, `in: points[0].samples: -1 is less than 0`},
		{head + `"points": [{"samples": 1.5}]}`, `in: points[0].samples: want an integer, got number`},
		{head + `"points": [{"samples": 1e3}]}`, `in: points[0].samples: want an integer, got number`},
		{head + `"points": [{"samples": 9223372036854775808}]}`,
			`in: points[0].samples: want an integer, got number`},
		{point(`{"id": "I1x"}`), `in: points[0].invariants[0].id: "I1x" does not match ^I[0-9]+$`},
		{point(`{"confidence": 1.01}`), `in: points[0].invariants[0].confidence: 1.01 is more than 1`},
		{point(`{"confidence": 1e999}`), `in: points[0].invariants[0].confidence: 1e999 is more than 1`},
		{point(`{"vars": ["x", 2]}`), `in: points[0].invariants[0].vars[1]: want a string, got number`},

		// Is it consistent?
		{point(good + ", " + good), `in: points[0].invariants[1].id: I1 appears twice`},
		{point(strings.Replace(good, "x == y", "x ==", 1)),
			`in: points[0].invariants[0].expr: x ==: column 5: want an operand`},
		{head + "\"points\": []}\n\n  {}", `in: has more after the document: line 3, column 3`},
		{head + `"points": []}]`, `in: has more after the document: line 1, column 71`},
	} {
		d, err := ReadInvariants(strings.NewReader(test.text), "in")
		if err == nil || err.Error() != test.want {
			t.Errorf("%.200s\ngot  %v\nwant %s", test.text, err, test.want)
		}
		if d != nil {
			t.Errorf("%.200s\ngot a document besides the error", test.text)
		}
	}
	if _, err := ReadInvariants(strings.NewReader(point(good)), "in"); err != nil {
		t.Error(err) // otherwise all the errors above prove little
	}
}

// edit returns the example of a document with one change.
func edit(t testing.TB, doc, from, to string) string {
	t.Helper()
	text := string(example(t, doc))
	if !strings.Contains(text, from) {
		t.Fatalf("the example of %s has no %q", doc, from)
	}
	return strings.Replace(text, from, to, 1)
}

func TestReadRefusesEdited(t *testing.T) {
	for _, test := range []struct{ doc, from, to, want string }{
		{WarningsName, `"type": "*example.com/ring.Ring"`, `"type": 12`,
			`in: warnings[0].counterexample.params[0].type: want a string, got number`},
		{WarningsName, `"ref": 0`, `"ref": 2`,
			`in: warnings[0].counterexample.params[0].ref: 2 is not an object (there are 2)`},
		{WarningsName, `"ref": 0`, `"ref": null`,
			`in: warnings[0].counterexample.params[0].ref: want an integer, got null`},
		{WarningsName, `"ref": 1`, `"ref": 5`,
			`in: warnings[0].counterexample.params[1].dynamic.ref: 5 is not an object (there are 2)`},
		{WarningsName, `"ref": 0`, `"ref": 0, "lit": "nil"`,
			`in: warnings[0].counterexample.params[0]: a value has only one of these: lit, ref`},
		{WarningsName, `"lit": "-1"`, `"ref": 2`,
			`in: warnings[1].counterexample.objects[1].elems[1].value.ref: ` +
				`2 is not an object (there are 2)`},
		{WarningsName, `"len": 2`, `"len": 5`,
			`in: warnings[1].counterexample.objects[0].fields[0].len: 5 is more than the cap, 4`},
		{WarningsName, `"id": "W2"`, `"id": "W1"`, `in: warnings[1].id: W1 appears twice`},
		{WarningsName, `"status": "unknown"`, `"status": "sat"`,
			`in: warnings[3]: "counterexample" is missing, though the status is "sat"`},
		{WarningsName, `"kind": "index"`, `"kind": "npe"`, `in: warnings[1].kind: "npe" is not one of ` +
			Join(Kinds, ", ")},
		{WarningsName, `"pos": "ring.go:20:9"`, `"pos": "ring.go:20"`,
			`in: warnings[0].pos: "ring.go:20" does not match ^.+:[1-9][0-9]*:[1-9][0-9]*$`},
		{CrashesName, `"id": "C3"`, `"id": "C2"`, `in: crashes[2].id: C2 appears twice`},
		{CrashesName, `_test.go`, `.go`,
			`in: crashes[0].test.file: "crash_ring_c1.go" does not match _test\.go$`},
		{CrashesName, `crash_ring_c1_test.go`, `../crash_ring_c1_test.go`,
			`in: crashes[0].test.file: "../crash_ring_c1_test.go" is not the name of a file alone`},
		{CrashesName, `"file": "crash_ring_c1_test.go"`, `"files": [{"file": "../../x", "content": ""}], "file": "a_test.go"`,
			`in: crashes[0].test.files[0].file: "../../x" does not stay below the test's directory`},
		{WarningsName, `"lit": "-1"`, `"lit": "-1; os.Exit(1)"`,
			`in: warnings[1].counterexample.objects[1].elems[1].value.lit: "-1; os.Exit(1)" is no literal`},
		{CrashesName, `"warning": "W3"`, `"warning": "3"`,
			`in: unconfirmed[0].warning: "3" does not match ^W[0-9]+$`},
	} {
		_, err := rewrite[test.doc]([]byte(edit(t, test.doc, test.from, test.to)))
		if err == nil || err.Error() != test.want {
			t.Errorf("%s with %s for %s\ngot  %v\nwant %s", test.doc, test.to, test.from, err, test.want)
		}
	}
}

func TestReadPassesErrorsOn(t *testing.T) {
	broken := errors.New("the disk is on fire")
	text := example(t, InvariantsName)
	for _, r := range []io.Reader{
		iotest.ErrReader(broken),
		io.MultiReader(bytes.NewReader(text[:100]), iotest.ErrReader(broken)),
		io.MultiReader(bytes.NewReader(text), iotest.ErrReader(broken)),
	} {
		if _, err := ReadInvariants(r, "in"); !errors.Is(err, broken) ||
			err.Error() != "in: "+broken.Error() {
			t.Errorf("got %v, want %v", err, broken)
		}
	}
	if _, err := ReadInvariants(iotest.OneByteReader(bytes.NewReader(text)), "in"); err != nil {
		t.Error(err)
	}
}
