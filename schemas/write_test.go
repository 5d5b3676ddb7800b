package schemas

import (
	"bytes"
	"strings"
	"testing"
)

// A document with nothing found is valid. Its lists are empty, not null.
func TestWriteEmpty(t *testing.T) {
	header := Header{Module: Module{Path: "m"}}
	for _, test := range []struct {
		write func(*bytes.Buffer) error
		want  string
	}{
		{
			func(w *bytes.Buffer) error { return WriteInvariants(w, &Invariants{Header: header}) },
			`{"schema":"dsd/invariants/v1","module":{"path":"m"},"points":[]}`,
		},
		{
			func(w *bytes.Buffer) error { return WriteWarnings(w, &Warnings{Header: header}) },
			`{"schema":"dsd/warnings/v1","module":{"path":"m"},"assumed":false,"functions":0,` +
				`"warnings":[],"skipped":[],"bounded":[],"stats":{"assertions":0,"folded":0,` +
				`"queries":0,"unsat":0,"sat":0,"unknown":0}}`,
		},
		{
			func(w *bytes.Buffer) error { return WriteCrashes(w, &Crashes{Header: header}) },
			`{"schema":"dsd/crashes/v1","module":{"path":"m"},"crashes":[],"unconfirmed":[],` +
				`"stats":{"candidates":0,"confirmed":0,"elsewhere":0}}`,
		},
		{
			func(w *bytes.Buffer) error {
				t, err := NewTraceWriter(w,
					TraceHeader{Header: header, Points: []TracePoint{{Func: "m.F", At: "entry"}}})
				if err == nil {
					err = t.WriteSample(Sample{Count: 1})
				}
				if err == nil {
					err = t.Close()
				}
				return err
			},
			`{"schema":"dsd/trace/v1","module":{"path":"m"},"packages":[],"tests":0,` +
				`"points":[{"func":"m.F","at":"entry","vars":[]}]}{"p":0,"n":1,"v":[]}`,
		},
	} {
		var out bytes.Buffer
		err := test.write(&out)
		got := strings.NewReplacer("\n", "", " ", "").Replace(out.String())
		if err != nil || got != test.want {
			t.Errorf("error %v, got\n%s\nwant\n%s", err, got, test.want)
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	header := Header{Module: Module{Path: "m"}}
	seven := 7
	warning := Warning{
		ID: "W1", Kind: "index", Func: "m.F", Pos: "f.go:1:2", Status: "sat",
		Counterexample: &Counterexample{Params: []Input{{Name: "p",
			Node: Node{Type: "*int", Ref: &seven}}}},
	}
	for _, test := range []struct {
		d    *Warnings
		want string
	}{
		{&Warnings{}, `writing dsd/warnings/v1: module.path: "" does not match .`},
		{&Warnings{Header: Header{Schema: "dsd/crashes/v1"}},
			`writing dsd/warnings/v1: schema: want "dsd/warnings/v1", got "dsd/crashes/v1"`},
		{&Warnings{Header: header, Warnings: []Warning{{ID: "1"}}},
			`writing dsd/warnings/v1: warnings[0].id: "1" does not match ^W[0-9]+$`},
		{&Warnings{Header: header, Warnings: []Warning{warning}},
			`writing dsd/warnings/v1: warnings[0].counterexample.params[0].ref: ` +
				`7 is not an object (there are 0)`},
	} {
		var out bytes.Buffer
		if err := WriteWarnings(&out, test.d); err == nil || err.Error() != test.want {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
		if out.Len() > 0 {
			t.Errorf("wrote %q besides the error", &out)
		}
	}
}
