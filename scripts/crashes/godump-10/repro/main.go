package main

import (
	"github.com/goforj/godump"
)

type Amount struct{ Value int }

type quantity struct {
	*Amount
	Format string
}

func main() {
	godump.Dump(quantity{Format: "x"})
}
