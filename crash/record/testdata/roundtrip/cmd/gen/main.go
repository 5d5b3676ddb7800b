// Gen prints random arguments of the functions, one call per line: the function and the graph.
package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"reflect"
	"strconv"

	"roundtrip"
	keep "roundtrip/zz_dsd_keep"
)

var funcs = []struct {
	name string
	fn   any
}{
	{"TakeNode", roundtrip.TakeNode},
	{"TakeSlices", roundtrip.TakeSlices},
	{"TakeOdd", roundtrip.TakeOdd},
	{"TakeLibrary", roundtrip.TakeLibrary},
	{"TakeValues", roundtrip.TakeValues},
	{"TakePair", roundtrip.TakePair},
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	seed, _ := strconv.ParseInt(os.Args[2], 10, 64)
	r := rand.New(rand.NewSource(seed))
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for i := range n {
		f := funcs[i%len(funcs)]
		t := reflect.TypeOf(f.fn)
		var fields []reflect.StructField
		for j := range t.NumIn() {
			fields = append(fields, reflect.StructField{Name: fmt.Sprintf("A%d", j), Type: t.In(j)})
		}
		all := reflect.New(reflect.StructOf(fields)) // so that arguments share memory
		roundtrip.Random(r, all.Interface())
		var args []any
		for j := range t.NumIn() {
			args = append(args, all.Elem().Field(j).Interface())
		}
		fmt.Fprintf(out, "%s %s\n", f.name, keep.Graph(args...))
	}
}
