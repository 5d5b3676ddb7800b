package main

import "example.com/m/deep"

func main() {
	deep.F(nil)
}
