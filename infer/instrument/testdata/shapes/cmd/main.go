// Command cmd prints what came of calling everything.
package main

import (
	"fmt"

	"example.com/shapes"
)

func main() {
	for _, line := range shapes.Run() {
		fmt.Println(line)
	}
}
