// Command cmd prints the names of the module's functions in stack traces.
package main

import (
	"fmt"

	names "example.com/names.v1"
	inner "example.com/names.v1/inner.d/v2.1"
)

func main() {
	names.Here()
	names.All()
	inner.F()
	(&inner.S{}).M()
	for _, n := range names.Seen {
		fmt.Println(n)
	}
}
