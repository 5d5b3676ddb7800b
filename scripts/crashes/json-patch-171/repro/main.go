package main

import (
	"fmt"

	jsonpatch "github.com/evanphx/json-patch/v5"
)

func main() {
	patch, err := jsonpatch.DecodePatch([]byte(`[
		{"op": "replace", "path": "/commands", "value": null},
		{"op": "add", "path": "/commands/0", "value": "some text"}
	]`))
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := patch.Apply([]byte(`{"commands": ["a"]}`))
	fmt.Println(string(out), err)
}
