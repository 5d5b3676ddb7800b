// Package parcel holds what a small shipping desk needs: parcels and their labels, the tariff that
// prices them, and the depot where they wait for the van. Routes are in package route.
//
// Weights are in grams, lengths in millimetres, money in cents.
package parcel

import (
	"errors"
	"fmt"
)

var (
	// ErrLabel is returned for text that is not a label.
	ErrLabel = errors.New("parcel: malformed label")
	// ErrField is returned for a field that a parcel does not have.
	ErrField = errors.New("parcel: no such field")
	// ErrValue is returned for a value that a field cannot take.
	ErrValue = errors.New("parcel: bad value for field")
)

// Service is how a parcel travels. On a label it is a letter after the number.
type Service byte

const (
	Standard Service = 0 // no letter
	Bulky    Service = 'B'
	Express  Service = 'X'
)

// Label identifies a parcel: where it goes, its number there, and the service.
type Label struct {
	Country string // two capital letters
	Number  int
	Service Service
}

// ParseLabel reads a label as String prints it: two capital letters for the country, a dash, the
// number, and a letter if the service is not Standard. Examples are "DE-4711" and "FR-12X".
func ParseLabel(s string) (Label, error) {
	if len(s) < 3 || !isUpper(s[0]) || !isUpper(s[1]) || s[2] != '-' {
		return Label{}, ErrLabel
	}
	l := Label{Country: s[:2]}
	digits := s[3:]
	if last := digits[len(digits)-1]; isUpper(last) {
		l.Service = Service(last)
		if l.Service != Bulky && l.Service != Express {
			return Label{}, ErrLabel
		}
		digits = digits[:len(digits)-1]
	}
	if len(digits) == 0 || len(digits) > 9 {
		return Label{}, ErrLabel
	}
	for i := 0; i < len(digits); i++ {
		c := digits[i]
		if c < '0' || c > '9' {
			return Label{}, ErrLabel
		}
		l.Number = l.Number*10 + int(c-'0')
	}
	return l, nil
}

// String prints the label as ParseLabel reads it.
func (l Label) String() string {
	if l.Service == Standard {
		return fmt.Sprintf("%s-%d", l.Country, l.Number)
	}
	return fmt.Sprintf("%s-%d%c", l.Country, l.Number, l.Service)
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// Size is the outside of a box.
type Size struct {
	Length, Width, Height int
}

// Girth is the longest side plus the way around the other two, the measure that carriers limit.
func (s Size) Girth() int {
	longest := s.Length
	if s.Width > longest {
		longest = s.Width
	}
	if s.Height > longest {
		longest = s.Height
	}
	return longest + 2*(s.Length+s.Width+s.Height-longest)
}

// Parcel is one item of freight.
type Parcel struct {
	Label Label
	Grams int
	Size  Size
	Sign  bool // the receiver has to sign
}

// mm3PerGram is the volume that is charged like a gram: 5 litres a kilogram.
const mm3PerGram = 5000

// ChargedGrams is the weight that is paid for: the real one, or that of the volume if it is larger.
func (p Parcel) ChargedGrams() int {
	byVolume := p.Size.Length * p.Size.Width * p.Size.Height / mm3PerGram
	if byVolume > p.Grams {
		return byVolume
	}
	return p.Grams
}

// With returns p with one field replaced, as the form at the desk does it: "to" is the country,
// "grams" the weight, "tall" the height, "sign" whether the receiver has to sign. A field that does
// not exist gives ErrField and a value that the field cannot take ErrValue, both with p unchanged.
func (p Parcel) With(field string, value any) (Parcel, error) {
	switch field {
	case "to":
		country, ok := value.(string)
		if !ok || len(country) != 2 {
			return p, ErrValue
		}
		p.Label.Country = country
	case "grams":
		grams, ok := value.(int)
		if !ok || grams < 0 {
			return p, ErrValue
		}
		p.Grams = grams
	case "tall":
		height, ok := value.(int)
		if !ok || height < 0 {
			return p, ErrValue
		}
		p.Size.Height = height
	case "sign":
		p.Sign = value.(bool)
	default:
		return p, ErrField
	}
	return p, nil
}
