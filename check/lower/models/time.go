//go:build ignore

package time

import (
	"time"

	"dsd"
)

// timer returns a new timer.
func timer() *time.Timer {
	t := new(time.Timer)
	return t
}
func NewTimer(d time.Duration) *time.Timer            { return timer() }
func AfterFunc(d time.Duration, f func()) *time.Timer { return timer() }
func NewTicker(d time.Duration) *time.Ticker {
	if d <= 0 {
		panic("non-positive interval for NewTicker")
	}
	return new(time.Ticker)
}
func FixedZone(name string, offset int) *time.Location { return new(time.Location) }
func LoadLocation(name string) (*time.Location, error) {
	l, err := dsd.Any[*time.Location](), dsd.Any[error]()
	dsd.Assume((l == nil) == (err != nil))
	return l, err
}
