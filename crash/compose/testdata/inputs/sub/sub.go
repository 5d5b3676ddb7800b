// Package sub is imported by inputs.
package sub

type Open struct{ N int }

type Closed struct{ n int }

func (c *Closed) N() int { return c.n }
