package main

import (
	"fmt"

	"github.com/icza/dyno"
)

func main() {
	m := map[string]interface{}{"cfg": map[string]interface{}(nil)}
	fmt.Println(dyno.Set(m, 1, "cfg", "port"), m)
}
