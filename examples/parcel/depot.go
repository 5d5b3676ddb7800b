package parcel

// Depot is where parcels wait. They leave in the order in which they arrived, except that a parcel
// on hold stays. The zero value is an empty depot, ready to use.
type Depot struct {
	queue []Parcel       // in order of arrival
	held  map[int]string // by number: why the parcel has to stay
}

// NewDepot returns a depot in which the parcels arrived in the order given.
func NewDepot(parcels ...Parcel) *Depot {
	d := &Depot{held: make(map[int]string)}
	for _, p := range parcels {
		d.Arrive(p)
	}
	return d
}

// Arrive puts p at the end of the queue.
func (d *Depot) Arrive(p Parcel) {
	d.queue = append(d.queue, p)
}

// Hold keeps the parcel with that number until the hold is lifted, whether or not it has arrived
// yet. A second reason replaces the first; an empty reason lifts the hold.
func (d *Depot) Hold(number int, reason string) {
	if reason == "" {
		delete(d.held, number)
		return
	}
	d.held[number] = reason
}

// Held returns why the parcel with that number has to stay, or "".
func (d *Depot) Held(number int) string {
	return d.held[number]
}

// Next takes the first parcel that is not on hold out of the depot. The result is false if there
// is none.
func (d *Depot) Next() (Parcel, bool) {
	for i, p := range d.queue {
		if d.held[p.Label.Number] == "" {
			d.queue = append(d.queue[:i], d.queue[i+1:]...)
			return p, true
		}
	}
	return Parcel{}, false
}

// Load takes parcels out of the depot as Next does, until the next one would bring the load above
// limit grams.
func (d *Depot) Load(limit int) []Parcel {
	var load []Parcel
	var left []Parcel
	full := false
	for _, p := range d.queue {
		if full || d.held[p.Label.Number] != "" {
			left = append(left, p)
			continue
		}
		if p.Grams > limit {
			full = true
			left = append(left, p)
			continue
		}
		limit -= p.Grams
		load = append(load, p)
	}
	d.queue = left
	return load
}

// Len is the number of parcels in the depot, those on hold included.
func (d *Depot) Len() int {
	return len(d.queue)
}
