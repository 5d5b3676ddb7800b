package subprocess

import (
	"errors"
	"os/exec"
	"syscall"
	"testing"
)

func TestFailure(t *testing.T) {
	exit := exec.Command("false").Run()
	notStarted := &exec.Error{Name: "go", Err: syscall.ENOMEM}
	for _, tt := range []struct {
		err        error
		complaints string
		want       string // "" for nil
	}{
		{exit, "pattern ./x: directory not found\n", ""},
		{exit, "# a/b\n./b.go:3:1: undefined: x\n", ""},
		{exit, "", "the go command: exit status 1"},
		{exit, "go: updating\ngo: open /tmp/x: too many open files\n", "the go command: go: open /tmp/x: too many open files"},
		{notStarted, "", "the go command: exec: \"go\": cannot allocate memory"},
	} {
		got := ""
		if err := Failure(tt.err, tt.complaints); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%v, %q: got %q, want %q", tt.err, tt.complaints, got, tt.want)
		}
	}
	if err := Failure(notStarted, ""); !errors.Is(err, syscall.ENOMEM) {
		t.Errorf("got %v, want the cause wrapped", err)
	}
}
