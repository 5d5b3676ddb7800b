package main

import (
	"fmt"

	"github.com/alecthomas/kong"
)

type Global struct {
	Debug bool
	Quiet bool
}

type Server struct {
	Port int
}

type CLI struct {
	Global *Global `kong:"embed"`
	Server *Server `kong:"cmd"`
}

func main() {
	p, err := kong.New(&CLI{})
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := p.Parse([]string{"server", "--port=1"})
	fmt.Println(c, err)
}
