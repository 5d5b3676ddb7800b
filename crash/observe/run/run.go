//go:build go1.21

// Package run is the runtime of an observed program: it writes how conditions came out and what
// calls returned, as lines of the standard output. Package observe embeds its source and adds it
// to the testee as a package, so it uses the standard library alone and builds with Go 1.21.
//
// A line begins with Mark. What follows is
//
//	7+ 8- 7+3,5                   conditions by number, whether they held, in order, and the
//	                              operands of comparisons of integers
//	{"s":3,"a":[...],"r":[...]}   a call by its number, its arguments and its results
package run

import (
	"encoding/json"
	"os"
	"strconv"
	"sync"
)

// Mark begins each line.
const Mark = "\x01dsd "

// Limits of what is written, so that the panic of a test still finds its place behind it.
const (
	maxConditions = 4000
	maxCalls      = 200
	maxBytes      = 96 << 10
	maxOperands   = 8       // of one comparison
	chunk         = 4 << 10 // bytes of conditions to a line
)

var (
	mu         sync.Mutex
	line       []byte
	conditions int
	calls      int
	written    int
)

// pending are the arguments of calls that have begun, by the number of the call, innermost last.
var pending = map[int][][]*Value{}

// Cond reports that condition id came out as v, and returns it.
func Cond(id int, v bool) bool {
	condition(id, v, nil)
	return v
}

// At reports that control came to where condition id holds.
func At(id int) { condition(id, true, nil) }

// integer is a type whose values Compared reports.
type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// operand is one of a comparison that is being evaluated.
type operand struct{ id, i int }

// compared are the operands, extended to 64 bits, of comparisons that are being evaluated, and
// reported is the number of times that they were reported, by the number of the condition.
var (
	compared = map[operand]uint64{}
	reported = map[int]int{}
)

// Operand keeps operand i, 0 or 1, of comparison id, and returns it.
func Operand[T integer](id, i int, v T) T {
	mu.Lock()
	defer mu.Unlock()
	compared[operand{id, i}] = uint64(v)
	return v
}

// Compared is Cond for a comparison whose operands were kept.
func Compared(id int, v bool) bool {
	mu.Lock()
	var operands []uint64
	if reported[id] < maxOperands {
		reported[id]++
		operands = []uint64{compared[operand{id, 0}], compared[operand{id, 1}]}
	}
	mu.Unlock()
	condition(id, v, operands)
	return v
}

// condition reports that condition id came out as v, with its operands, if any.
func condition(id int, v bool, operands []uint64) {
	if conditions > maxConditions {
		return
	}
	mu.Lock()
	defer mu.Unlock()
	conditions++
	line = strconv.AppendInt(line, int64(id), 10)
	if v {
		line = append(line, '+')
	} else {
		line = append(line, '-')
	}
	for i, n := range operands {
		if i > 0 {
			line = append(line, ',')
		}
		line = strconv.AppendUint(line, n, 10)
	}
	line = append(line, ' ')
	if len(line) > chunk {
		flush()
	}
}

// Flush writes what has not been written.
func Flush() {
	mu.Lock()
	defer mu.Unlock()
	flush()
}

func flush() {
	if len(line) == 0 {
		return
	}
	emit(line)
	line = line[:0]
}

// emit writes a line, unless there are too many.
func emit(text []byte) {
	if written+len(text) > maxBytes {
		return
	}
	written += len(text)
	out := append([]byte("\n"+Mark), text...)
	os.Stdout.Write(append(out, '\n'))
}

// Arg keeps argument i, one of n that are kept, of call id, and returns it; -1 is the receiver. The
// first one that is kept begins the call.
func Arg[T any](id, i, n int, first bool, v T) T {
	if calls > maxCalls {
		return v
	}
	x := valueOf(v)
	mu.Lock()
	defer mu.Unlock()
	if first {
		pending[id] = append(pending[id], make([]*Value, n+1))
	}
	if open := pending[id]; len(open) > 0 && i+1 < len(open[len(open)-1]) {
		open[len(open)-1][i+1] = x
	}
	return v
}

// call is a line about a call.
type call struct {
	Site    int      `json:"s"`
	Args    []*Value `json:"a,omitempty"` // the receiver first; null where none was kept
	Results []*Value `json:"r"`
}

// Returned reports the results of call id.
func Returned(id int, results ...any) {
	if calls > maxCalls {
		return
	}
	c := call{Site: id}
	for _, r := range results {
		c.Results = append(c.Results, valueAt(r))
	}
	mu.Lock()
	defer mu.Unlock()
	if open := pending[id]; len(open) > 0 {
		c.Args = open[len(open)-1]
		pending[id] = open[:len(open)-1]
	}
	calls++
	flush()
	if text, err := json.Marshal(&c); err == nil {
		emit(text)
	}
}
