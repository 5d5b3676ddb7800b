package dtrace

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"dsd/infer/invariant"
	"dsd/schemas"
)

// record is a record of a block.
type record struct {
	point      *programPoint
	start, end int   // of the text after the name of the point, in the text of the block
	next       int32 // the index of the function's next record, or -1
}

// malformed describes what is wrong with a record.
type malformed struct {
	line    int // in the text of the record, from 0
	message string
}

func malformedf(line int, format string, args ...any) *malformed {
	return &malformed{line, fmt.Sprintf(format, args...)}
}

// values parses the text of a record after the nonce, which takes before lines: three lines per
// variable. It appends the values to a row.
func (p *programPoint) values(text []byte, before int, into *invariant.Row,
	words *invariant.Interner) *malformed {
	forms := p.forms
	for i, name := range p.nameLines {
		if len(text) < len(name) || string(text[:len(name)]) != name {
			return p.wrongVariable(before+3*i, i, text)
		}
		text = text[len(name):]
		code, missing, n := fastValue(text, forms[i])
		switch {
		case n == 0:
			var bad *malformed
			if n, bad = p.value(i, text, before, into, words); bad != nil {
				return bad
			}
		case missing:
			into.Missing()
		default:
			into.Code(code)
		}
		text = text[n:]
	}
	if rest := bytes.TrimSpace(text); len(rest) > 0 {
		found, _, _ := bytes.Cut(rest, blank[:1])
		return malformedf(before+3*len(p.nameLines),
			"%s: the record has more values than variables: %.60q", p.name, found)
	}
	return nil
}

// form is the usual form of a variable's values, for which there is a fast parser.
type form uint8

const (
	otherForm     form = iota // only the slow parser
	numberForm                // decimal
	referenceForm             // a decimal address, or null
	boolForm
)

// formOf returns the form for a representation.
func formOf(rep schemas.Rep) form {
	return map[schemas.Rep]form{"int": numberForm, "ref": referenceForm, "bool": boolForm}[rep]
}

// fastValue parses the two lines of a value in its usual form. n is the length of the lines, or 0
// if the value has another form.
func fastValue(s []byte, f form) (code int64, missing bool, n int) {
	const nonsensical, uninit = "nonsensical\n2\n", "uninit\n2\n"
	switch {
	case len(s) < 4:
	case s[0] <= '9':
		if f == numberForm || f == referenceForm {
			if code, n = digits(s); endsValue(s, n) {
				return code, false, n + 3
			}
		}
	case len(s) >= len(nonsensical) && string(s[:len(nonsensical)]) == nonsensical:
		return 0, true, len(nonsensical)
	case len(s) >= len(uninit) && string(s[:len(uninit)]) == uninit:
		return 0, true, len(uninit)
	case f == referenceForm && string(s[:4]) == "null" && endsValue(s, 4):
		return 0, false, 7
	case f == boolForm && string(s[:4]) == "true" && endsValue(s, 4):
		return 1, false, 7
	case f == boolForm && string(s[:4]) == "fals" && endsValue(s, 5) && s[4] == 'e':
		return 0, false, 8
	}
	return 0, false, 0
}

// endsValue reports whether a value ends at offset n and is not missing.
func endsValue(s []byte, n int) bool {
	return n > 0 && len(s) > n+2 &&
		s[n] == '\n' && (s[n+1] == '1' || s[n+1] == '0') && s[n+2] == '\n'
}

// value parses the two lines of the i-th value, whatever its form, and returns their length.
func (p *programPoint) value(i int, text []byte, before int, into *invariant.Row,
	words *invariant.Interner) (size int, bad *malformed) {
	name := strings.TrimSpace(p.nameLines[i])
	n := bytes.IndexByte(text, '\n')
	if len(text) == 0 {
		return 0, malformedf(before+3*i, "the record ends in the value of %s", name)
	}
	if n < 0 || len(text) < n+2 {
		return 0, malformedf(before+3*i+1, "the record ends in the value of %s", name)
	}
	value, modified := text[:n], text[n+1]
	if n+2 < len(text) && text[n+2] != '\n' && text[n+2] != '\r' || modified < '0' || modified > '2' {
		return 0, malformedf(before+3*i+2, "%s: invalid modified bit (want 0, 1 or 2)", name)
	}
	size = min(n+3, len(text))
	if modified == '2' { // the value is nonsensical
		into.Missing()
		return size, nil
	}
	var v invariant.Value
	if !decode(&v, p.vars[i].Rep, value, words) {
		return 0, malformedf(before+3*i+1, "%s: %.40q is not of representation %s",
			name, value, p.vars[i].Rep)
	}
	into.Put(&v)
	return size, nil
}

// digits parses a number of at most 18 digits that ends a line. n is its length, or -1 if the line
// is not such a number.
func digits(s []byte) (x int64, n int) {
	neg := len(s) > 0 && s[0] == '-'
	if neg {
		n = 1
	}
	for ; n < len(s) && n < 19; n++ {
		c := s[n] - '0'
		if c > 9 {
			if s[n] != '\n' || n == 0 || neg && n == 1 {
				return 0, -1
			}
			if neg {
				x = -x
			}
			return x, n
		}
		x = 10*x + int64(c)
	}
	return 0, -1
}

// wrongVariable describes the text that stands in the place of the i-th variable.
func (p *programPoint) wrongVariable(line, i int, text []byte) *malformed {
	found, _, _ := bytes.Cut(text, blank[:1])
	if string(found)+"\n" == p.nameLines[i] || len(text) == 0 {
		return malformedf(line, "the record ends in the value of %s", found)
	}
	return malformedf(line, "%s: found %.60q, want the variable %s",
		p.name, found, strings.TrimSpace(p.nameLines[i]))
}

// decode parses a value of a representation and reports whether it is valid.
func decode(v *invariant.Value, rep schemas.Rep, s []byte, words *invariant.Interner) bool {
	*v = invariant.Value{}
	switch rep {
	case "int", "ref":
		switch string(s) {
		case "null":
			return rep == "ref"
		case "false":
			return true
		case "true":
			v.Code = 1
			return true
		}
		base := 10
		if rest, ok := bytes.CutPrefix(s, []byte("0x")); ok && rep == "ref" {
			s, base = rest, 16
		}
		var err error
		v.Code, err = strconv.ParseInt(string(s), base, 64)
		return err == nil

	case "bool":
		v.Code = 0
		if string(s) == "true" || string(s) == "1" {
			v.Code = 1
		}
		return true

	case "float":
		f, err := strconv.ParseFloat(string(s), 64)
		*v = invariant.FloatValue(f)
		return err == nil || string(s) == "nan" || string(s) == "NaN"

	case "string":
		if string(s) == "null" {
			v.Text, v.Code, v.Unrepresentable = "null", 0, true
			return true
		}
		*v = words.Value(s)
		return true

	case "refs":
		s = addresses(s)
	}
	*v = invariant.ItemsValue(rep, s)
	return true
}

// addresses rewrites a sequence of addresses as the object numbers of our traces: in decimal, and
// nil for null. It subtracts one from each address, because package invariant codes object number n
// as n+1, while an address outside a sequence is its own code.
func addresses(s []byte) []byte {
	if len(s) == 0 || s[0] != '[' {
		return s
	}
	words := strings.Fields(strings.Trim(string(s), "[]"))
	for i, w := range words {
		if n, err := strconv.ParseUint(w, 0, 64); err == nil && n != 0 {
			words[i] = strconv.FormatInt(int64(n-1), 10)
		} else {
			words[i] = "nil"
		}
	}
	return []byte("[" + strings.Join(words, " ") + "]")
}
