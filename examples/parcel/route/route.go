// Package route describes the way of a van as a chain of legs.
package route

import "errors"

var (
	// ErrGap is returned for legs that do not meet.
	ErrGap = errors.New("route: a leg does not begin where the one before ended")
	// ErrPace is returned for a day or a tour that gets nothing done.
	ErrPace = errors.New("route: pace is not positive")
)

// Leg is a drive without a stop.
type Leg struct {
	From, To string
	Km       int
}

// Route is the legs in the order in which they are driven.
type Route []Leg

// Connected reports whether each leg begins where the one before ended.
func (r Route) Connected() bool {
	for i := 1; i < len(r); i++ {
		if r[i].From != r[i-1].To {
			return false
		}
	}
	return true
}

// Km is the length of the route.
func (r Route) Km() int {
	sum := 0
	for _, leg := range r {
		sum += leg.Km
	}
	return sum
}

// Stops are the places on the route, first and last included. No legs, no stops.
func (r Route) Stops() []string {
	if len(r) == 0 {
		return nil
	}
	stops := []string{r[0].From}
	for _, leg := range r {
		stops = append(stops, leg.To)
	}
	return stops
}

// Reverse is the way back.
func (r Route) Reverse() Route {
	var back Route
	for i := len(r) - 1; i >= 0; i-- {
		back = append(back, Leg{From: r[i].To, To: r[i].From, Km: r[i].Km})
	}
	return back
}

// Join is r followed by s. It returns ErrGap if s begins elsewhere than r ends.
func (r Route) Join(s Route) (Route, error) {
	if len(r) == 0 {
		return s, nil
	}
	if len(s) == 0 {
		return r, nil
	}
	if r[len(r)-1].To != s[0].From {
		return nil, ErrGap
	}
	var joined Route
	joined = append(joined, r...)
	return append(joined, s...), nil
}

// At is the index of the leg that the van is on after km, -1 before the start and len(r) once it
// has arrived.
func (r Route) At(km int) int {
	if km < 0 {
		return -1
	}
	for i, leg := range r {
		if km < leg.Km {
			return i
		}
		km -= leg.Km
	}
	return len(r)
}

// Days is how many days the route takes at perDay kilometres a day; a day begun counts.
func (r Route) Days(perDay int) (int, error) {
	if perDay < 1 {
		return 0, ErrPace
	}
	return ceilDiv(r.Km(), perDay), nil
}

// Tours is how often a van that takes perTour parcels has to go for all of them.
func Tours(parcels, perTour int) (int, error) {
	if perTour < 1 {
		return 0, ErrPace
	}
	return ceilDiv(parcels, perTour), nil
}

// ceilDiv is n/d rounded up, for n >= 0 and d >= 1.
func ceilDiv(n, d int) int {
	q := n / d
	if n%d > 0 {
		q++
	}
	return q
}
