package parcel

// Step is a corner of a tariff: what a parcel of exactly that weight costs.
type Step struct {
	Grams, Cents int
}

// Between is the price of grams on the line through lo and hi. Nothing is cheaper than lo; beyond
// hi the line goes on. Fractions of a cent are dropped.
func Between(lo, hi Step, grams int) int {
	if grams <= lo.Grams {
		return lo.Cents
	}
	return lo.Cents + (grams-lo.Grams)*(hi.Cents-lo.Cents)/(hi.Grams-lo.Grams)
}

// Tariff is a price list, steps ordered by weight. Between two steps the price rises evenly; two
// steps of the same weight make it jump there.
type Tariff []Step

// Price is what grams cost. The last two steps tell how the price goes on for heavier parcels.
// A tariff of one step is a flat rate, and an empty one is free.
func (t Tariff) Price(grams int) int {
	if len(t) == 0 {
		return 0
	}
	if len(t) == 1 {
		return t[0].Cents
	}
	i := 1
	for i < len(t)-1 && grams > t[i].Grams {
		i++
	}
	return Between(t[i-1], t[i], grams)
}

// Ordered reports whether the steps are ordered by weight and no price falls.
func (t Tariff) Ordered() bool {
	for i := 1; i < len(t); i++ {
		if t[i].Grams < t[i-1].Grams || t[i].Cents < t[i-1].Cents {
			return false
		}
	}
	return true
}

// Total is the price of all the parcels, each at the weight that is charged for it.
func (t Tariff) Total(parcels []Parcel) int {
	sum := 0
	for _, p := range parcels {
		sum += t.Price(p.ChargedGrams())
	}
	return sum
}

// Cheapest is the index of the first tariff with the lowest price for grams, -1 if there is none.
func Cheapest(tariffs []Tariff, grams int) int {
	best, lowest := -1, 0
	for i, t := range tariffs {
		if price := t.Price(grams); best < 0 || price < lowest {
			best, lowest = i, price
		}
	}
	return best
}
