package main

import (
	"fmt"

	"github.com/reugn/go-quartz/quartz"
)

func main() {
	t, err := quartz.NewCronTrigger("0/0 * * * * *")
	fmt.Println(t, err)
}
