package main

import (
	"os"

	"github.com/twmb/franz-go/pkg/kgo"
)

func main() {
	l := kgo.BasicLogger(os.Stdout, kgo.LogLevelDebug, nil)
	l.Log(kgo.LogLevelDebug, "main message", "key1")
}
