package main

import "example.com/attacks"

// list is of all attempts. Package attacktest writes this file anew.
var list = []struct {
	name string
	do   func()
}{
	{"Control", attacks.Control},
}
