package main

import "github.com/coder/hnsw"

func main() {
	g := hnsw.NewGraph[int]()
	g.Add(hnsw.MakeNode(1, []float32{1}))
	g.Delete(1)
	g.Add(hnsw.MakeNode(1, []float32{1}))
}
