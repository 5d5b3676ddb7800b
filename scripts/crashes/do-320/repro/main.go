package main

import (
	"fmt"
	"io"

	"github.com/samber/do/v2"
)

type app struct {
	Out io.Writer `do:""`
}

func main() {
	i := do.New()
	do.Provide(i, func(do.Injector) (io.Writer, error) { return nil, nil })
	fmt.Println(do.InvokeStruct[app](i))
}
