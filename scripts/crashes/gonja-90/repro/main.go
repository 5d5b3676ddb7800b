package main

import (
	"fmt"

	"github.com/nikolalohinski/gonja/v2"
	"github.com/nikolalohinski/gonja/v2/exec"
)

func main() {
	tpl, err := gonja.FromString("{% for x in items[:10] %}{{ x }} {% endfor %}")
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := tpl.ExecuteToString(exec.NewContext(map[string]any{"items": []int{1, 2, 3}}))
	fmt.Println(out, err)
}
