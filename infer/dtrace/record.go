package dtrace

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"dsd/infer/invariant"
	"dsd/schemas"
)

// record is one of a block.
type record struct {
	ppt     *Ppt
	at, end int   // what is behind the point's name, in the block's text
	next    int32 // of the same function, by number; -1 for none
}

// mistake is what is wrong with a record.
type mistake struct {
	line    int // in the record's text, from 0
	message string
}

// values reads the three lines of each variable from the text of one of the point's records, behind the lines of the nonce, and appends the values to
// a row.
func (p *Ppt) values(text []byte, before int, into *invariant.Row, words *invariant.Words) *mistake {
	forms := p.forms
	for i, name := range p.names {
		if len(text) < len(name) || string(text[:len(name)]) != name {
			return p.wrong(before+3*i, i, text)
		}
		text = text[len(name):]
		code, missing, n := common(text, forms[i])
		switch {
		case n == 0:
			var wrong *mistake
			if n, wrong = p.value(i, text, before, into, words); wrong != nil {
				return wrong
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
		return mistaken(before+3*len(p.names), "%s: the record has more than its variables: %.60q", p.Name, found)
	}
	return nil
}

// form is how the values of a variable are written that are read at once.
type form uint8

const (
	anyhow form = iota
	numeral
	reference // an address in decimal, or null
	truth
)

// formOf is that of a representation.
func formOf(rep schemas.Rep) form {
	return map[schemas.Rep]form{"int": numeral, "ref": reference, "bool": truth}[rep]
}

// common reads the two lines of a value that is written as most are, and how long they are; n is 0 for any other.
func common(s []byte, f form) (code int64, missing bool, n int) {
	const nonsensical, uninit = "nonsensical\n2\n", "uninit\n2\n"
	switch {
	case len(s) < 4:
	case s[0] <= '9':
		if f == numeral || f == reference {
			if code, n = digits(s); ends(s, n) {
				return code, false, n + 3
			}
		}
	case len(s) >= len(nonsensical) && string(s[:len(nonsensical)]) == nonsensical:
		return 0, true, len(nonsensical)
	case len(s) >= len(uninit) && string(s[:len(uninit)]) == uninit:
		return 0, true, len(uninit)
	case f == reference && string(s[:4]) == "null" && ends(s, 4):
		return 0, false, 7
	case f == truth && string(s[:4]) == "true" && ends(s, 4):
		return 1, false, 7
	case f == truth && string(s[:4]) == "fals" && ends(s, 5) && s[4] == 'e':
		return 0, false, 8
	}
	return 0, false, 0
}

// ends says that a value that exists ends behind n bytes.
func ends(s []byte, n int) bool {
	return n > 0 && len(s) > n+2 && s[n] == '\n' && (s[n+1] == '1' || s[n+1] == '0') && s[n+2] == '\n'
}

// value reads the two lines of the i-th value, and how long they are.
func (p *Ppt) value(i int, text []byte, before int, into *invariant.Row, words *invariant.Words) (size int, wrong *mistake) {
	name := strings.TrimSpace(p.names[i])
	n := bytes.IndexByte(text, '\n')
	if len(text) == 0 {
		return 0, mistaken(before+3*i, "the record ends in the value of %s", name)
	}
	if n < 0 || len(text) < n+2 {
		return 0, mistaken(before+3*i+1, "the record ends in the value of %s", name)
	}
	value, mod := text[:n], text[n+1]
	if n+2 < len(text) && text[n+2] != '\n' && text[n+2] != '\r' || mod < '0' || mod > '2' {
		return 0, mistaken(before+3*i+2, "%s: 0, 1 or 2 tells whether it was modified", name)
	}
	size = min(n+3, len(text))
	if mod == '2' {
		into.Missing()
		return size, nil
	}
	var v invariant.Value
	if !decode(&v, p.Vars[i].Rep, value, words) {
		return 0, mistaken(before+3*i+1, "%s: %.40q is no %s", name, value, p.Vars[i].Rep)
	}
	into.Put(&v)
	return size, nil
}

// digits reads a number of at most 18 digits that ends a line, and how long it is; n is -1 if there is none.
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

// wrong says what stands, at a line, in the place of a variable.
func (p *Ppt) wrong(line, i int, text []byte) *mistake {
	found, _, _ := bytes.Cut(text, blank[:1])
	if string(found)+"\n" == p.names[i] || len(text) == 0 {
		return mistaken(line, "the record ends in the value of %s", found)
	}
	return mistaken(line, "%s: the variable %s is declared here, and %.60q found", p.Name, strings.TrimSpace(p.names[i]), found)
}

func mistaken(line int, format string, args ...any) *mistake {
	return &mistake{line, fmt.Sprintf(format, args...)}
}

// decode reads a value.
func decode(v *invariant.Value, rep schemas.Rep, s []byte, words *invariant.Words) bool {
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
		if rest, ok := bytes.CutPrefix(s, []byte("0x")); ok && rep == "ref" { // an address
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
			v.Text, v.Code, v.Odd = "null", 0, true
			return true
		}
		*v = words.Value(s)
		return true
	}
	if rep == "refs" {
		s = addresses(s)
	}
	*v = invariant.ItemsValue(rep, s)
	return true
}

// addresses writes those of a sequence as a trace of ours has who the elements are: in decimal, nil for what is none. One less than they are, for who
// is number n in a trace of ours has the code n+1, and the address by itself is its own code.
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
