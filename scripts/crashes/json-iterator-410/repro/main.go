package main

import (
	"fmt"
	"strings"

	jsoniter "github.com/json-iterator/go"
)

func main() {
	var v any
	err := jsoniter.Unmarshal([]byte(strings.Repeat("[", 3000000)), &v)
	fmt.Println(err)
}
