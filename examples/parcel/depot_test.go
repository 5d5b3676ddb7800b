package parcel

import "testing"

// parcels returns parcels of these weights, numbered from 1.
func parcels(grams ...int) []Parcel {
	var list []Parcel
	for i, g := range grams {
		list = append(list, Parcel{Label: Label{Country: "DE", Number: i + 1}, Grams: g})
	}
	return list
}

// drain takes all it can out of d and returns the numbers.
func drain(d *Depot) []int {
	var numbers []int
	for {
		p, ok := d.Next()
		if !ok {
			return numbers
		}
		numbers = append(numbers, p.Label.Number)
	}
}

func equal(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestZeroDepot(t *testing.T) {
	var d Depot
	if n := d.Len(); n != 0 {
		t.Errorf("Len() = %d, want 0", n)
	}
	if p, ok := d.Next(); ok {
		t.Errorf("Next() = %v from an empty depot", p)
	}
	if load := d.Load(100); len(load) != 0 {
		t.Errorf("Load(100) = %v from an empty depot", load)
	}
	if why := d.Held(12); why != "" {
		t.Errorf("Held(12) = %q, want none", why)
	}
	d.Hold(12, "") // lifts a hold that there is not
	for i, p := range parcels(300, 20, 1500) {
		d.Arrive(p)
		if n := d.Len(); n != i+1 {
			t.Errorf("Len() = %d, want %d", n, i+1)
		}
	}
	d.Hold(2, "")
	if got, want := drain(&d), []int{1, 2, 3}; !equal(got, want) {
		t.Errorf("left in order %v, want %v", got, want)
	}
}

func TestHold(t *testing.T) {
	type hold struct {
		number int
		reason string
	}
	tests := []struct {
		name  string
		grams []int
		holds []hold
		want  []int
		stay  int
	}{
		{"no holds", []int{10, 20, 30}, nil, []int{1, 2, 3}, 0},
		{"first", []int{10, 20, 30}, []hold{{1, "customs"}}, []int{2, 3}, 1},
		{"middle", []int{500, 40, 7}, []hold{{2, "address"}}, []int{1, 3}, 1},
		{"last", []int{10, 20}, []hold{{2, "unpaid"}}, []int{1}, 1},
		{"all", []int{1200, 900}, []hold{{2, "strike"}, {1, "strike"}}, nil, 2},
		{"lifted", []int{60, 20, 75}, []hold{{3, "customs"}, {3, ""}}, []int{1, 2, 3}, 0},
		{"one of two lifted", []int{5, 5, 5, 5}, []hold{{1, "x-ray"}, {4, "unpaid"}, {1, ""}},
			[]int{1, 2, 3}, 1},
		{"other reason", []int{80}, []hold{{1, "address"}, {1, "customs duty"}}, nil, 1},
		{"not here", []int{31}, []hold{{99, "stolen"}, {0, "?"}, {-5, "test"}}, []int{1}, 0},
		{"empty depot", nil, []hold{{7, "recall"}, {8, ""}}, nil, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := NewDepot(parcels(test.grams...)...)
			for _, h := range test.holds {
				d.Hold(h.number, h.reason)
				if got := d.Held(h.number); got != h.reason {
					t.Errorf("Held(%d) = %q, want %q", h.number, got, h.reason)
				}
			}
			if got := drain(d); !equal(got, test.want) {
				t.Errorf("left: %v, want %v", got, test.want)
			}
			if got := d.Len(); got != test.stay {
				t.Errorf("%d stay, want %d", got, test.stay)
			}
		})
	}
}

func TestHeldUntilLifted(t *testing.T) {
	d := NewDepot(parcels(100, 200)...)
	d.Hold(1, "customs")
	if got, want := drain(d), []int{2}; !equal(got, want) {
		t.Fatalf("left: %v, want %v", got, want)
	}
	d.Hold(1, "")
	if got, want := drain(d), []int{1}; !equal(got, want) {
		t.Errorf("left: %v, want %v", got, want)
	}
}

func TestLoad(t *testing.T) {
	tests := []struct {
		grams []int
		hold  int // 0 for none
		limit int
		want  []int
		stay  int
	}{
		{nil, 0, 1000, nil, 0},
		{[]int{500}, 0, 1000, []int{1}, 0},
		{[]int{500, 500}, 0, 1000, []int{1, 2}, 0},
		{[]int{500, 501}, 0, 1000, []int{1}, 1},
		{[]int{1500, 20}, 0, 1000, nil, 2},
		{[]int{1500, 20}, 1, 1000, []int{2}, 1},
		{[]int{10, 20, 30}, 2, 45, []int{1, 3}, 1},
		{[]int{10, 20, 30}, 3, 45, []int{1, 2}, 1},
		{[]int{0, 0, 1, 0}, 0, 0, []int{1, 2}, 2},
		{[]int{3, 1, 2}, 1, 3, []int{2, 3}, 1},
		{[]int{70, 80}, 0, -1, nil, 2},
	}
	for _, test := range tests {
		d := NewDepot(parcels(test.grams...)...)
		if test.hold > 0 {
			d.Hold(test.hold, "test")
		}
		var got []int
		for _, p := range d.Load(test.limit) {
			got = append(got, p.Label.Number)
		}
		if !equal(got, test.want) || d.Len() != test.stay {
			t.Errorf("%v with %d on hold: Load(%d) = %v, %d stay; want %v, %d",
				test.grams, test.hold, test.limit, got, d.Len(), test.want, test.stay)
		}
	}
}
