package route

import (
	"errors"
	"reflect"
	"testing"
)

var (
	none    = Route{}
	stay    = Route{{"Mill", "Mill", 0}}
	short   = Route{{"Mill", "Quay", 7}}
	coast   = Route{{"Mill", "Quay", 7}, {"Quay", "Cape", 41}, {"Cape", "Light", 12}}
	inland  = Route{{"Light", "Moor", 30}, {"Moor", "Ford", 55}}
	there   = Route{{"Ford", "Mill", 26}, {"Mill", "Ford", 26}}
	broken  = Route{{"Mill", "Quay", 7}, {"Cape", "Light", 12}}
	express = Route{{"Ford", "Port", 240}}
)

func TestConnected(t *testing.T) {
	tests := []struct {
		route Route
		want  bool
	}{
		{none, true}, {stay, true}, {short, true}, {coast, true}, {inland, true}, {there, true},
		{express, true}, {broken, false}, {Route{{"A", "B", 1}, {"B", "C", 1}, {"D", "E", 1}}, false},
	}
	for _, test := range tests {
		if got := test.route.Connected(); got != test.want {
			t.Errorf("%v.Connected() = %v, want %v", test.route, got, test.want)
		}
	}
}

func TestStops(t *testing.T) {
	tests := []struct {
		route Route
		km    int
		stops []string
	}{
		{none, 0, nil},
		{nil, 0, nil},
		{stay, 0, []string{"Mill", "Mill"}},
		{short, 7, []string{"Mill", "Quay"}},
		{coast, 60, []string{"Mill", "Quay", "Cape", "Light"}},
		{inland, 85, []string{"Light", "Moor", "Ford"}},
		{there, 52, []string{"Ford", "Mill", "Ford"}},
		{express, 240, []string{"Ford", "Port"}},
		{coast.Reverse(), 60, []string{"Light", "Cape", "Quay", "Mill"}},
	}
	for _, test := range tests {
		if got := test.route.Km(); got != test.km {
			t.Errorf("%v.Km() = %d, want %d", test.route, got, test.km)
		}
		if got := test.route.Stops(); !reflect.DeepEqual(got, test.stops) {
			t.Errorf("%v.Stops() = %q, want %q", test.route, got, test.stops)
		}
	}
}

func TestReverseTwice(t *testing.T) {
	for _, r := range []Route{stay, short, coast, inland, there, broken, express, coast[1:],
		inland[:1]} {
		if got := r.Reverse().Reverse(); !reflect.DeepEqual(got, r) {
			t.Errorf("%v reversed twice is %v", r, got)
		}
	}
	if got := none.Reverse(); len(got) != 0 {
		t.Errorf("no legs reversed are %v", got)
	}
}

func TestJoin(t *testing.T) {
	tests := []struct {
		r, s Route
		km   int
		err  error
	}{
		{coast, inland, 145, nil},
		{short, short.Reverse(), 14, nil},
		{inland, there, 137, nil},
		{inland, express, 325, nil},
		{stay, coast, 60, nil},
		{none, there, 52, nil},
		{there, none, 52, nil},
		{none, none, 0, nil},
		{inland, coast, 0, ErrGap},
		{short, there, 0, ErrGap},
		{express, express, 0, ErrGap},
	}
	for _, test := range tests {
		got, err := test.r.Join(test.s)
		if !errors.Is(err, test.err) || got.Km() != test.km {
			t.Errorf("%v.Join(%v) = %v, %v, want %d km, %v", test.r, test.s, got, err, test.km, test.err)
		}
	}
}

func TestAt(t *testing.T) {
	tests := []struct {
		route Route
		km    int
		want  int
	}{
		{none, 0, 0},
		{none, 3, 0},
		{stay, 0, 1},
		{short, -2, -1},
		{short, 0, 0},
		{short, 6, 0},
		{short, 7, 1},
		{coast, 10, 1},
		{coast, 47, 1},
		{coast, 48, 2},
		{coast, 1000, 3},
		{there, 26, 1},
		{express, 100, 0},
	}
	for _, test := range tests {
		if got := test.route.At(test.km); got != test.want {
			t.Errorf("%v.At(%d) = %d, want %d", test.route, test.km, got, test.want)
		}
	}
}

func TestDays(t *testing.T) {
	tests := []struct {
		route  Route
		perDay int
		want   int
	}{
		{none, 1, 0},
		{none, 50, 0},
		{stay, 3, 0},
		{short, 1, 7},
		{short, 2, 4},
		{short, 3, 3},
		{short, 7, 1},
		{short, 8, 1},
		{coast, 1, 60},
		{coast, 20, 3},
		{coast, 59, 2},
		{inland, 4, 22},
		{there, 1, 52},
		{express, 6, 40},
	}
	for _, test := range tests {
		got, err := test.route.Days(test.perDay)
		if err != nil || got != test.want {
			t.Errorf("%v.Days(%d) = %d, %v, want %d", test.route, test.perDay, got, err, test.want)
		}
	}
}

func TestTours(t *testing.T) {
	tests := []struct {
		parcels, perTour, want int
	}{
		{0, 1, 0}, {1, 1, 1}, {5, 1, 5}, {12, 1, 12},
		{0, 5, 0}, {1, 5, 1}, {5, 5, 1}, {6, 5, 2}, {10, 5, 2},
		{9, 2, 5}, {9, 3, 3}, {9, 4, 3}, {11, 6, 2}, {3, 10, 1},
	}
	for _, test := range tests {
		got, err := Tours(test.parcels, test.perTour)
		if err != nil || got != test.want {
			t.Errorf("Tours(%d, %d) = %d, %v, want %d", test.parcels, test.perTour, got, err, test.want)
		}
	}
}

func TestPaceNotPositive(t *testing.T) {
	for _, pace := range []int{0, -1, -50} {
		if _, err := coast.Days(pace); !errors.Is(err, ErrPace) {
			t.Errorf("Days(%d): %v, want ErrPace", pace, err)
		}
		if _, err := Tours(4, pace); !errors.Is(err, ErrPace) {
			t.Errorf("Tours(4, %d): %v, want ErrPace", pace, err)
		}
	}
}

func TestCeilDiv(t *testing.T) {
	tests := []struct {
		n, d, want int
	}{
		{0, 1, 0}, {1, 1, 1}, {8, 1, 8}, {0, 2, 0}, {1, 2, 1}, {2, 2, 1}, {3, 2, 2},
		{7, 3, 3}, {9, 3, 3}, {10, 4, 3}, {1, 9, 1}, {100, 7, 15},
	}
	for _, test := range tests {
		if got := ceilDiv(test.n, test.d); got != test.want {
			t.Errorf("ceilDiv(%d, %d) = %d, want %d", test.n, test.d, got, test.want)
		}
	}
}
