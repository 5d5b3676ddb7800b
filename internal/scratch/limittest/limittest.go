//go:build unix

// Package limittest simulates a system that is short of a resource, for tests.
package limittest

import (
	"syscall"
	"testing"
)

// NoFiles makes the system refuse to open files to this process, with EMFILE, until allow is called. Tests that call it
// must not run in parallel with others.
func NoFiles(t testing.TB) (allow func()) {
	t.Helper()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	none := limit
	none.Cur = 0
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &none); err != nil {
		t.Fatal(err)
	}
	allow = func() { syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit) }
	t.Cleanup(allow)
	return allow
}
