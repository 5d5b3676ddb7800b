package main

import (
	"fmt"
	"strings"

	"github.com/gocarina/gocsv"
)

type row struct {
	Field1 string
	Field2 int
}

func main() {
	var out []row
	err := gocsv.UnmarshalWithoutHeaders(strings.NewReader("test,1,2\n"), &out)
	fmt.Println(out, err)
}
