package main

import (
	"fmt"
	"time"

	"github.com/go-test/deep"
)

type Foo struct {
	t time.Time
}

func main() {
	deep.CompareUnexportedFields = true
	now := time.Unix(1500000000, 0)
	a := &Foo{t: now}
	b := &Foo{t: now.Add(time.Second)}
	fmt.Println(deep.Equal(a, b))
}
