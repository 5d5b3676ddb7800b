package main

import (
	"fmt"
	"io"
	"strings"

	"golang.org/x/image/tiff/lzw"
)

func main() {
	r := lzw.NewReader(strings.NewReader(strings.Repeat("\x00", 200000)), lzw.MSB, 8)
	n, err := io.Copy(io.Discard, r)
	fmt.Println(n, err)
}
