package parcel

import (
	"errors"
	"testing"
)

func TestParseLabel(t *testing.T) {
	tests := []struct {
		in   string
		want Label
	}{
		{"DE-4711", Label{"DE", 4711, Standard}},
		{"FR-12X", Label{"FR", 12, Express}},
		{"NL-0", Label{"NL", 0, Standard}},
		{"AT-9B", Label{"AT", 9, Bulky}},
		{"PT-123456789", Label{"PT", 123456789, Standard}},
		{"ZA-007X", Label{"ZA", 7, Express}},
		{"GB-31", Label{"GB", 31, Standard}},
		{"NO-8B", Label{"NO", 8, Bulky}},
	}
	for _, test := range tests {
		got, err := ParseLabel(test.in)
		if err != nil || got != test.want {
			t.Errorf("ParseLabel(%q) = %v, %v, want %v", test.in, got, err, test.want)
		}
	}
}

func TestParseLabelMalformed(t *testing.T) {
	for _, in := range []string{
		"", "D", "DE", "DE4711", "de-4711", "D-4711", "FRA-", "-", "4711-DE",
		"DE-X", "DE-12Y", "DE-12x", "DE-1 2", "DE--1", "DE-1234567890",
	} {
		if l, err := ParseLabel(in); !errors.Is(err, ErrLabel) {
			t.Errorf("ParseLabel(%q) = %v, %v, want ErrLabel", in, l, err)
		}
	}
}

func TestLabelString(t *testing.T) {
	for _, want := range []string{
		"DE-4711", "FR-12X", "NL-0", "AT-9B", "PT-123456789", "GB-31", "NO-8B", "ES-64X", "SE-1000",
	} {
		l, err := ParseLabel(want)
		if err != nil {
			t.Fatal(err)
		}
		if got := l.String(); got != want {
			t.Errorf("String() = %q, want %q", got, want)
		}
	}
}

func TestGirth(t *testing.T) {
	tests := []struct {
		size Size
		want int
	}{
		{Size{300, 200, 100}, 900},
		{Size{100, 300, 200}, 900},
		{Size{200, 100, 300}, 900},
		{Size{100, 100, 100}, 500},
		{Size{1200, 50, 50}, 1400},
		{Size{50, 50, 700}, 900},
		{Size{220, 110, 1}, 442},
		{Size{0, 0, 0}, 0},
		{Size{1, 2, 2}, 8},
	}
	for _, test := range tests {
		if got := test.size.Girth(); got != test.want {
			t.Errorf("%v.Girth() = %d, want %d", test.size, got, test.want)
		}
	}
}

func TestChargedGrams(t *testing.T) {
	tests := []struct {
		grams int
		size  Size
		want  int
	}{
		{500, Size{300, 200, 100}, 1200},
		{2500, Size{300, 200, 100}, 2500},
		{1200, Size{100, 200, 300}, 1200},
		{20, Size{220, 110, 2}, 20},
		{5, Size{220, 110, 2}, 9},
		{0, Size{0, 0, 0}, 0},
		{0, Size{50, 100, 40}, 40},
		{31500, Size{600, 400, 400}, 31500},
		{900, Size{1200, 30, 30}, 900},
	}
	for _, test := range tests {
		p := Parcel{Grams: test.grams, Size: test.size}
		if got := p.ChargedGrams(); got != test.want {
			t.Errorf("%v.ChargedGrams() = %d, want %d", p, got, test.want)
		}
	}
}

func TestWith(t *testing.T) {
	book := Parcel{Label: Label{"DE", 1, Standard}, Grams: 640, Size: Size{240, 170, 30}}
	lamp := Parcel{Label: Label{"FR", 22, Bulky}, Grams: 4100, Size: Size{300, 300, 1400}, Sign: true}
	card := Parcel{Label: Label{"IT", 305, Express}, Grams: 15, Size: Size{148, 105, 1}}
	none := Parcel{}

	tests := []struct {
		parcel Parcel
		field  string
		value  any
		want   Parcel
		err    error
	}{
		{book, "to", "FR", Parcel{Label{"FR", 1, Standard}, 640, Size{240, 170, 30}, false}, nil},
		{none, "to", "SE", Parcel{Label: Label{Country: "SE"}}, nil},
		{lamp, "to", "France", lamp, ErrValue},
		{card, "to", 39, card, ErrValue},
		{book, "grams", 700, Parcel{Label{"DE", 1, Standard}, 700, Size{240, 170, 30}, false}, nil},
		{card, "grams", 0, Parcel{Label{"IT", 305, Express}, 0, Size{148, 105, 1}, false}, nil},
		{lamp, "grams", -1, lamp, ErrValue},
		{none, "grams", "12", none, ErrValue},
		{lamp, "tall", 1500, Parcel{Label{"FR", 22, Bulky}, 4100, Size{300, 300, 1500}, true}, nil},
		{card, "tall", 2, Parcel{Label{"IT", 305, Express}, 15, Size{148, 105, 2}, false}, nil},
		{book, "tall", false, book, ErrValue},
		{book, "sign", true, Parcel{Label{"DE", 1, Standard}, 640, Size{240, 170, 30}, true}, nil},
		{lamp, "sign", false, Parcel{Label{"FR", 22, Bulky}, 4100, Size{300, 300, 1400}, false}, nil},
		{none, "sign", true, Parcel{Sign: true}, nil},
		{card, "color", "red", card, ErrField},
		{none, "", 5, none, ErrField},
	}
	for _, test := range tests {
		got, err := test.parcel.With(test.field, test.value)
		if got != test.want || !errors.Is(err, test.err) {
			t.Errorf("%v.With(%q, %v) = %v, %v, want %v, %v",
				test.parcel, test.field, test.value, got, err, test.want, test.err)
		}
	}
}
