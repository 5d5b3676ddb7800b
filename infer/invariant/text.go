package invariant

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"dsd/internal/expr"
)

// affix is the templates strings.HasPrefix(x, prefix) and strings.HasSuffix(x, suffix), with the
// longest prefix and suffix that all strings share.
type affix struct {
	seen           bool // whether there was a string
	prefix, suffix string
}

// isEmpty reports whether the strings share neither a prefix nor a suffix.
func (a *affix) isEmpty() bool { return a.seen && a.prefix == "" && a.suffix == "" }

// add adds a string, given as a Go literal. Text that is no literal leaves nothing shared.
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
		n = 0
		for n < min(len(s), len(a.suffix)) && s[len(s)-1-n] == a.suffix[len(a.suffix)-1-n] {
			n++
		}
		a.suffix = a.suffix[len(a.suffix)-n:]
	}
}

// textOrder returns the order of two different strings, given as Go literals. It is isAny if one is
// no literal.
func textOrder(x, y string) uint8 {
	if strings.IndexByte(x, '\\')+strings.IndexByte(y, '\\') == -2 { // no escapes: skip Unquote
		return order(int64(strings.Compare(strings.Trim(x, `"`), strings.Trim(y, `"`))), 0)
	}
	u, err1 := strconv.Unquote(x)
	v, err2 := strconv.Unquote(y)
	if err1 != nil || err2 != nil {
		return isAny
	}
	return order(int64(strings.Compare(u, v)), 0)
}

// probSharedAffix is the probability that a string shares the prefix, or the suffix, of another by
// chance.
const probSharedAffix = 0.25

// emit emits the instances for x, which had the given number of different values. The prefix and
// the suffix are shortened to whole characters.
func (a *affix) emit(x expr.Expr, different int, emit emitter) {
	prefix, suffix := a.prefix, a.suffix
	for prefix != "" && !utf8.ValidString(prefix) {
		prefix = prefix[:len(prefix)-1]
	}
	for suffix != "" && !utf8.ValidString(suffix) {
		suffix = suffix[1:]
	}
	confidence := confidenceOf(probSharedAffix, int64(different)-1)
	for _, t := range []struct{ template, function, text string }{
		{"prefix", "strings.HasPrefix", prefix},
		{"suffix", "strings.HasSuffix", suffix},
	} {
		if t.text != "" {
			cond := expr.Apply(t.function, x, expr.Text(t.text))
			emit(t.template, []string{strconv.Quote(t.text)}, cond, confidence)
		}
	}
}
