package main

import "github.com/gammazero/deque"

func main() {
	var q deque.Deque[int]
	q.CopyInSlice(make([]int, 16))
	q.PopFront()
	q.PushBack(17)
}
