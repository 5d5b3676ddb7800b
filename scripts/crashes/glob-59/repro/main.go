package main

import (
	"fmt"

	"github.com/gobwas/glob"
)

func main() {
	g, err := glob.Compile("/{a{*.json{", '/')
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.Match("/a/b/c/d/e/foo.json"))
}
