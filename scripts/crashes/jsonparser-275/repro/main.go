package main

import (
	"fmt"

	"github.com/buger/jsonparser"
)

func main() {
	fmt.Printf("%s\n", jsonparser.Delete([]byte(`"0":"0":`), "0"))
}
