package verify

import (
	"testing"

	"dsd/schemas"
)

// TestRenameTests: of tests that share a name, each gets one of its own, whatever the others are.
func TestRenameTests(t *testing.T) {
	crash := func(name, file, print string) schemas.Crash {
		src := "package m\n\nimport \"testing\"\n\n// " + name + " panics at m.go:1: no.\nfunc " + name +
			"(*testing.T) {\n\tF(\"" + name + "\", crash" + name[len("TestCrash"):] + "Stub{})\n}\n\n" +
			"type crash" + name[len("TestCrash"):] + "Stub struct{}\n"
		return schemas.Crash{Fingerprint: print, Test: schemas.Test{Package: "m", Name: name, File: file, Source: src}}
	}
	list := []schemas.Crash{
		crash("TestCrashFIndex", "crash_f_index_test.go", "aaaabbbb"),
		crash("TestCrashFIndex_2", "crash_f_index_2_test.go", "ccccdddd"),
		crash("TestCrashGIndex_4", "crash_g_index_4_test.go", "eeeeffff"),
	}
	RenameTests(list)
	for i, want := range []struct{ name, file string }{
		{"TestCrashFIndex_aaaabb", "crash_f_index_aaaabb_test.go"},
		{"TestCrashFIndex_ccccdd", "crash_f_index_ccccdd_test.go"},
		{"TestCrashGIndex", "crash_g_index_test.go"},
	} {
		if got := list[i].Test; got.Name != want.name || got.File != want.file {
			t.Errorf("got %s in %s, want %v", got.Name, got.File, want)
		}
	}
	const want = `package m

import "testing"

// TestCrashFIndex_ccccdd panics at m.go:1: no.
func TestCrashFIndex_ccccdd(*testing.T) {
	F("TestCrashFIndex_2", crashFIndex_ccccddStub{})
}

type crashFIndex_ccccddStub struct{}
`
	if got := list[1].Test.Source; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
