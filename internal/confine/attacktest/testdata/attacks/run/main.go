// Run makes all attempts in the directory that its argument names, and prints the names of those that get through.
package main

import (
	"fmt"
	"os"

	"example.com/attacks"
)

func main() {
	if err := os.Chdir(os.Args[1]); err != nil {
		panic(err)
	}
	attacks.Report()
	for _, a := range list {
		try(a.name, a.do)
	}
}

func try(name string, do func()) {
	defer func() {
		if recover() != nil {
			fmt.Println(name)
		}
	}()
	do()
}
