package main

import (
	"fmt"

	"google.golang.org/grpc/attributes"
)

func main() {
	a := attributes.New("labels", map[string]string{"zone": "a"})
	b := attributes.New("labels", map[string]string{"zone": "a"})
	fmt.Println(a.Equal(b))
}
