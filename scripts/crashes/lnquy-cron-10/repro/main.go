package main

import (
	"fmt"

	"github.com/lnquy/cron"
)

func main() {
	desc, err := cron.NewDescriptor()
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := desc.ToDescription("1 1 1 x 1", cron.Locale_en)
	fmt.Println(text, err)
}
