package main

import (
	"io"

	"github.com/muesli/termenv"
)

func main() {
	termenv.NewOutput(io.Discard).ClearLines(-1)
}
