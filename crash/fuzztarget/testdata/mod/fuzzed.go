// Package fuzzed has functions of all the forms that fuzz targets are written for.
package fuzzed

import (
	"errors"
	"strings"
)

// Level is how loud a Bell is.
type Level uint8

// Bell rings.
type Bell struct {
	name  string
	level Level
	rung  []int
}

// NewBell refuses an empty name.
func NewBell(name string, level Level) (*Bell, error) {
	if name == "" {
		return nil, errors.New("no name")
	}
	return &Bell{name: name, level: level}, nil
}

// Ring rings n times.
func (b *Bell) Ring(n int) error {
	if n > 12 {
		return errors.New("too often")
	}
	b.rung = append(b.rung, n)
	return nil
}

// Last is how often it rang last. It must have rung.
func (b *Bell) Last() int { return b.rung[len(b.rung)-1] }

// String is its name.
func (b *Bell) String() string { return b.name + strings.Repeat("!", int(b.level)) }

// Parse reads a text like "bell:3;" and panics for one more step than its tests and inputs take.
func Parse(text []byte, strict bool, n int) int {
	s := string(text)
	if !strings.HasPrefix(s, "bell:") || !strict {
		return 0
	}
	if uint32(n)*2654435761 != 3203391293 {
		return 1
	}
	fields := strings.Split(s, ";")
	return len(fields[len(s)%4])
}

// Nothing depends on nothing.
func Nothing() {}

// Scale has a float.
func Scale(x float64, by float32, r rune) float64 { return x * float64(by) * float64(r) }
