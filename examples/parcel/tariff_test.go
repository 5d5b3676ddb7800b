package parcel

import "testing"

var (
	free     = Tariff{}
	flat     = Tariff{{1000, 590}}
	standard = Tariff{{0, 300}, {500, 400}, {2000, 700}, {10000, 1500}}
	jumping  = Tariff{{100, 150}, {500, 250}, {500, 400}, {2000, 550}} // jumps at 500 g
	shop     = Tariff{{0, 0}, {1000, 1000}}
)

func TestBetween(t *testing.T) {
	tests := []struct {
		lo, hi Step
		grams  int
		want   int
	}{
		{Step{0, 300}, Step{500, 400}, 0, 300},
		{Step{0, 300}, Step{500, 400}, 250, 350},
		{Step{0, 300}, Step{500, 400}, 500, 400},
		{Step{0, 300}, Step{500, 400}, 1000, 500},
		{Step{500, 400}, Step{2000, 700}, 20, 400},
		{Step{500, 400}, Step{2000, 700}, 1999, 699},
		{Step{100, 5}, Step{107, 6}, 106, 5},
		{Step{100, 5}, Step{107, 6}, 107, 6},
		{Step{1000, 590}, Step{1500, 590}, 1200, 590},
		{Step{0, 0}, Step{1000, 1000}, 1, 1},
		{Step{0, 0}, Step{1, 3}, 2, 6},
		{Step{500, 250}, Step{500, 400}, 500, 250},
		{Step{500, 250}, Step{500, 400}, 130, 250},
		{Step{0, 80}, Step{0, 95}, 0, 80},
		{Step{20, 20}, Step{20, 20}, 10, 20},
	}
	for _, test := range tests {
		if got := Between(test.lo, test.hi, test.grams); got != test.want {
			t.Errorf("Between(%v, %v, %d) = %d, want %d", test.lo, test.hi, test.grams, got, test.want)
		}
	}
}

func TestPrice(t *testing.T) {
	tests := []struct {
		tariff Tariff
		grams  int
		want   int
	}{
		{free, 0, 0},
		{free, 700, 0},
		{flat, 1, 590},
		{flat, 5000, 590},
		{standard, 0, 300},
		{standard, 250, 350},
		{standard, 500, 400},
		{standard, 1250, 550},
		{standard, 2000, 700},
		{standard, 12000, 1700},
		{jumping, 30, 150},
		{jumping, 300, 200},
		{jumping, 500, 250},
		{jumping, 501, 400},
		{jumping, 2000, 550},
		{jumping, 3000, 650},
		{shop, 0, 0},
		{shop, 333, 333},
		{shop, 4200, 4200},
	}
	for _, test := range tests {
		if got := test.tariff.Price(test.grams); got != test.want {
			t.Errorf("%v.Price(%d) = %d, want %d", test.tariff, test.grams, got, test.want)
		}
	}
}

func TestOrdered(t *testing.T) {
	tests := []struct {
		tariff Tariff
		want   bool
	}{
		{free, true},
		{flat, true},
		{standard, true},
		{jumping, true},
		{shop, true},
		{Tariff{{0, 300}, {500, 250}}, false},
		{Tariff{{500, 300}, {0, 400}}, false},
		{Tariff{{0, 1}, {10, 2}, {5, 3}}, false},
		{Tariff{{20, 80}, {20, 95}}, true},
		{Tariff{{20, 95}, {20, 80}, {50, 100}}, false},
	}
	for _, test := range tests {
		if got := test.tariff.Ordered(); got != test.want {
			t.Errorf("%v.Ordered() = %v, want %v", test.tariff, got, test.want)
		}
	}
}

func TestTotal(t *testing.T) {
	letter := Parcel{Grams: 20, Size: Size{220, 110, 2}}
	book := Parcel{Grams: 500, Size: Size{240, 170, 30}}
	pillow := Parcel{Grams: 800, Size: Size{500, 400, 50}} // pays for 2 kg
	tests := []struct {
		tariff  Tariff
		parcels []Parcel
		want    int
	}{
		{standard, nil, 0},
		{standard, []Parcel{book}, 400},
		{standard, []Parcel{book, pillow}, 1100},
		{standard, []Parcel{letter, letter, letter}, 912},
		{flat, []Parcel{letter, book, pillow}, 1770},
		{free, []Parcel{book, book}, 0},
		{free, nil, 0},
		{jumping, []Parcel{letter}, 150},
		{jumping, []Parcel{book, letter, pillow, book}, 1200},
		{shop, []Parcel{pillow, pillow}, 4000},
	}
	for _, test := range tests {
		if got := test.tariff.Total(test.parcels); got != test.want {
			t.Errorf("%v.Total(%v) = %d, want %d", test.tariff, test.parcels, got, test.want)
		}
	}
}

func TestCheapest(t *testing.T) {
	tests := []struct {
		tariffs []Tariff
		grams   int
		want    int
	}{
		{nil, 100, -1},
		{[]Tariff{standard}, 9000, 0},
		{[]Tariff{standard, jumping}, 400, 1},
		{[]Tariff{standard, jumping, flat}, 600, 1},
		{[]Tariff{standard, flat}, 20000, 1},
		{[]Tariff{flat, standard, shop}, 0, 2},
		{[]Tariff{flat, standard, shop}, 590, 1},
		{[]Tariff{flat, shop}, 590, 0},
		{[]Tariff{jumping, free, shop, flat}, 75, 1},
		{[]Tariff{shop, jumping}, 3, 0},
	}
	for _, test := range tests {
		if got := Cheapest(test.tariffs, test.grams); got != test.want {
			t.Errorf("Cheapest(%v, %d) = %d, want %d", test.tariffs, test.grams, got, test.want)
		}
	}
}
