package main

import (
	"fmt"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/maptile/tilecover"
)

func main() {
	p := orb.Polygon{{{10.0, 56.0}, {10.1, 56.0}, {10.1, 56.1}, {10.0, 56.1}}}
	fmt.Println(len(tilecover.Geometry(p, 12)))
}
