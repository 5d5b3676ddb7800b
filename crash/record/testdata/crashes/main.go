// Crashes indexes a list past its end.
package main

import "fmt"

func main() { pick([]int{1, 2, 3}, 5) }

func pick(list []int, i int) {
	fmt.Println("picking")
	fmt.Println(list[i])
}
