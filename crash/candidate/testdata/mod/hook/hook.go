// Package hook has variables that the init functions of other packages set.
package hook

var (
	callback func() int
	calls    int
)

// Set is called by init functions.
func Set(f func() int) { callback = f }

// Call calls what was set. It panics if nothing was, and the second time.
func Call() int {
	if calls++; calls > 1 {
		panic("called before")
	}
	return callback()
}
