package main

import (
	"os"

	"github.com/hashicorp/go-hclog"
)

func main() {
	l := hclog.New(&hclog.LoggerOptions{Output: os.Stdout, Level: hclog.Info})
	l.Info("started", 42, "value")
}
