package invariant

import (
	"math"
	"strconv"
	"strings"

	"dsd/schemas"
)

// value is a sampled value. Numbers of all kinds are compared through num, which is exact for the integers that fit
// in 63 bits; larger ones and NaN make the variable incomparable (see column.add).
type value struct {
	text    string
	num     float64
	i       int64
	isNum   bool
	missing bool // the variable did not exist
	unsaid  bool // there is no Go literal for it: a long string, a NaN or an infinity
	isNil   bool
}

func parse(v schemas.TraceVar, text string) value {
	out := value{text: text}
	switch {
	case text == "-":
		out.missing = true
	case v.Rep == "int":
		if i, err := strconv.ParseInt(text, 10, 64); err == nil {
			out.i, out.num, out.isNum = i, float64(i), true
		}
	case v.Rep == "uint":
		if u, err := strconv.ParseUint(text, 10, 64); err == nil && u <= math.MaxInt64 {
			out.i, out.num, out.isNum = int64(u), float64(u), true
		}
	case v.Rep == "float":
		// Floating-point variables get constants and one-of only; their order is not learned.
		switch text {
		case "NaN", "+Inf", "-Inf":
			out.unsaid = true
		}
	case v.Rep == "string":
		out.unsaid = strings.HasPrefix(text, "~")
	case v.Rep == "ref" || v.Rep == "type":
		out.isNil = text == "nil"
	}
	return out
}

// less orders two numeric values.
func less(a, b value) bool { return a.i < b.i }
