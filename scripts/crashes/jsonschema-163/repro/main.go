package main

import (
	"fmt"

	"github.com/invopop/jsonschema"
)

func main() {
	reflector := jsonschema.Reflector{ExpandedStruct: true}
	schema := reflector.Reflect("some string")
	fmt.Println(schema)
}
