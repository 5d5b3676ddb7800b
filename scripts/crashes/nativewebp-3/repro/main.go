package main

import (
	"bytes"
	"fmt"
	"image"

	"github.com/HugoSmits86/nativewebp"
)

func main() {
	img := image.NewNRGBA(image.Rect(0, 0, 8, 8)).SubImage(image.Rect(2, 3, 6, 7))
	var buf bytes.Buffer
	err := nativewebp.Encode(&buf, img)
	fmt.Println(buf.Len(), err)
}
