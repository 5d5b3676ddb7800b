// Package goroutine panics in a goroutine that outlives the call.
package goroutine

// Start divides later.
func Start(n int) {
	go func() { result = 100 / n }()
}

var result int
