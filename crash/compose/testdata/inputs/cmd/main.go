// Command cmd is a program: no test can name its types.
package main

type Exported struct{ N int }

func main() {}
