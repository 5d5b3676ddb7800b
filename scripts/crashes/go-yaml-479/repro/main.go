package main

import (
	"fmt"

	"github.com/goccy/go-yaml"
)

func main() {
	v := map[string]any{}
	err := yaml.Unmarshal([]byte("0::"), &v)
	fmt.Println(v, err)
}
