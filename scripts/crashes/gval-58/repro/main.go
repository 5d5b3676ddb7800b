package main

import (
	"fmt"

	"github.com/PaesslerAG/gval"
)

type project struct {
	Owner *string
}

func main() {
	fmt.Println(gval.Evaluate(`p.Owner == "me"`, map[string]interface{}{"p": project{}}))
}
