package main

import (
	"encoding/json"
	"fmt"

	"github.com/hashicorp/go-set/v2"
)

func main() {
	var v struct{ Names *set.Set[string] }
	fmt.Println(json.Unmarshal([]byte(`{"Names":["a","b"]}`), &v), v.Names)
}
