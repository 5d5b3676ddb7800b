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

var names []string

// Register is called by initializers of variables. It returns the number of the name.
func Register(name string) int {
	add(name)
	return len(names)
}

func add(name string) { names = append(names, name) }

// Name returns a registered name. It panics if there is none with that number.
func Name(number int) string {
	name := names[number-1]
	names[number-1] = "asked"
	return name
}
