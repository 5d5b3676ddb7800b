package main

import (
	"fmt"

	"gopkg.in/yaml.v3"
)

func main() {
	var v map[string]any
	err := yaml.Unmarshal([]byte("{{},<<}"), &v)
	fmt.Println(v, err)
}
