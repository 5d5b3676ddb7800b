package stack

import "strings"

// fatalErrors are the fatal errors of the runtime that do not depend on inputs alone, by parts of their messages, with
// what each means and what the user can try.
var fatalErrors = []struct{ part, is, try string }{
	{"concurrent map", "two goroutines used a map at the same time, at least one of them writing",
		"call the functions on the stacks from several goroutines, under go test -race"},
	{"all goroutines are asleep", "every goroutine waited for another one: the stacks show for what",
		"write a test that makes the calls on the stacks in their order, with -timeout"},
	{"out of memory", "the program needed more memory than there was",
		"crash random finds inputs that make huge slices; GOMEMLIMIT and a heap profile show what is kept"},
	{"cannot allocate memory", "the program needed more memory than there was",
		"crash random finds inputs that make huge slices; GOMEMLIMIT and a heap profile show what is kept"},
	{"unexpected signal", "memory was accessed that the runtime knows nothing of: by C, assembly or package unsafe, or after a race",
		"go test -race, or go test -asan for memory of C"},
	{"found bad pointer", "a pointer was damaged: by C, assembly or package unsafe, or by a race",
		"go test -race, and go vet, whose unsafeptr check finds common mistakes"},
	{"checkptr:", "package unsafe was misused, and a build with -d=checkptr noticed",
		"the innermost frame outside the runtime is the conversion that is wrong"},
	{"too many concurrent", "there were too many operations at the same time", "a load test"},
	{"thread exhaustion", "there were too many threads: many goroutines were in system calls or in C", "a load test"},
}

// NotByInputs returns one line for the user if a test with inputs cannot reproduce the panic: why, and what to try
// instead. It returns "" if a test may reproduce it.
func (p *Panic) NotByInputs() string {
	if !p.Fatal {
		return ""
	}
	for _, f := range fatalErrors {
		if strings.Contains(p.Message, f.part) {
			return "fatal error: " + p.Message + ": " + f.is + ". A test with inputs cannot reproduce that. Try: " + f.try
		}
	}
	return ""
}
