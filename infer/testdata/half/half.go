// Package half has a function and a type to observe.
package half

// Half returns half of an even number.
func Half(n int) int { return n / 2 }

// Door can be opened and closed.
type Door struct{ open bool }

func (d *Door) Open()  { d.open = true }
func (d *Door) Close() { d.open = false }

// Pass goes through a door.
func Pass() {
	d := &Door{}
	d.Open()
	d.Close()
}
