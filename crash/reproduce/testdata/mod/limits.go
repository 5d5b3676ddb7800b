package m

// Limits are counts by name.
type Limits map[string]int

// NewLimits returns limits of nothing.
func NewLimits() Limits { return Limits{} }

// Merge takes over the counts of other that are larger.
func (l Limits) Merge(other Limits) {
	for name, n := range other {
		if n > l[name] {
			l[name] = n
		}
	}
}
