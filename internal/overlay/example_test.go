package overlay_test

import (
	"context"
	"fmt"
	"path/filepath"

	"dsd/internal/overlay"
)

// Build a module as if it had a file that it does not have.
func ExampleOverlay() {
	dir, err := filepath.Abs(filepath.Join("..", "..", "examples", "parcel"))
	if err != nil {
		fmt.Println(err)
		return
	}
	o, err := overlay.Open(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer o.Close()
	text := "package parcel\n\nvar wrong string = 1\n"
	if err := o.Add("added.go", []byte(text)); err != nil {
		fmt.Println(err)
		return
	}
	cmd, err := o.Command(context.Background(), "vet", ".")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = cmd.CombinedOutput()
	fmt.Println(err)
	// Output: exit status 1
}
