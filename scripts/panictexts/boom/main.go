package main

import (
	"os"

	"example.com/shop/cart"
)

func main() { println(cart.Total(os.Args[1])) }
