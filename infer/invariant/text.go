package invariant

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"dsd/internal/expr"
)

// affix are the templates of what all strings begin and end with.
type affix struct {
	seen           bool
	prefix, suffix string
}

// add takes in a string as the trace has it, a Go literal.
func (a *affix) add(text string) {
	if a.isEmpty() {
		return
	}
	s, err := strconv.Unquote(text)
	switch {
	case err != nil:
		*a = affix{seen: true}
	case !a.seen:
		*a = affix{true, s, s}
	default:
		n := 0
		for n < len(s) && n < len(a.prefix) && s[n] == a.prefix[n] {
			n++
		}
		a.prefix = a.prefix[:n]
		for n = 0; n < len(s) && n < len(a.suffix) && s[len(s)-1-n] == a.suffix[len(a.suffix)-1-n]; n++ {
		}
		a.suffix = a.suffix[len(a.suffix)-n:]
	}
}

// textOrder is that of two different strings, which are Go literals.
func textOrder(x, y string) uint8 {
	if strings.IndexByte(x, '\\')+strings.IndexByte(y, '\\') == -2 { // as they are between the quotes
		return order(int64(strings.Compare(strings.Trim(x, `"`), strings.Trim(y, `"`))), 0)
	}
	u, err1 := strconv.Unquote(x)
	v, err2 := strconv.Unquote(y)
	if err1 != nil || err2 != nil {
		return isAny
	}
	return order(int64(strings.Compare(u, v)), 0)
}

// none says that the strings have neither in common.
func (a *affix) isEmpty() bool { return a.seen && a.prefix == "" && a.suffix == "" }

// sharing is the probability that a string begins, or ends, as another does by chance.
const probSharedAffix = 0.25

// emit instantiates the templates for x, of which different strings were seen. Characters stay whole.
func (a *affix) emit(x expr.Expr, different int, emit emitter) {
	prefix, suffix := a.prefix, a.suffix
	for prefix != "" && !utf8.ValidString(prefix) {
		prefix = prefix[:len(prefix)-1]
	}
	for suffix != "" && !utf8.ValidString(suffix) {
		suffix = suffix[1:]
	}
	confidence := confidenceOf(probSharedAffix, int64(different)-1)
	for _, t := range [][3]string{{"prefix", "strings.HasPrefix", prefix}, {"suffix", "strings.HasSuffix", suffix}} {
		if t[2] != "" {
			emit(t[0], []string{strconv.Quote(t[2])}, expr.Apply(t[1], x, expr.Text(t[2])), confidence)
		}
	}
}
