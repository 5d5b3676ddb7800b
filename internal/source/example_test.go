package source_test

import (
	"context"
	"fmt"
	"path/filepath"

	"dsd/internal/source"
)

// Load a module with its functions.
func ExampleLoad() {
	dir := filepath.Join("..", "..", "examples", "parcel")
	prog, err := source.Load(context.Background(), dir, []string{"./route"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, pkg := range prog.Packages {
		fmt.Println(pkg.Path, pkg.Funcs()[0].Name)
	}
	// Output: example.com/parcel/route example.com/parcel/route.Route.Connected
}
