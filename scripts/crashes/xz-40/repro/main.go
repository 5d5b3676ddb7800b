package main

import (
	"bytes"
	"fmt"
	"io"

	"github.com/ulikunitz/xz"
)

func main() {
	data := []byte{253, 55, 122, 88, 90, 0, 0, 0, 255, 18, 217, 65, 0, 189, 191, 239, 189, 191, 239, 48}
	r, err := xz.NewReader(bytes.NewReader(data))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(io.ReadAll(r))
}
