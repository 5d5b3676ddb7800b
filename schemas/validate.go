package schemas

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A violation is the first problem of a document with its schema or its consistency.
type violation struct {
	path    string // ".warnings[3].id", built from the inside out; "" for the whole document
	problem string
}

func (v *violation) Error() string {
	if v.path == "" {
		return v.problem
	}
	return strings.TrimPrefix(v.path, ".") + ": " + v.problem
}

func violated(format string, args ...any) *violation {
	return &violation{problem: fmt.Sprintf(format, args...)}
}

// in prefixes the path of v with a step: a field or an index. A nil v stays nil.
func (v *violation) in(step string) *violation {
	if v != nil {
		v.path = step + v.path
	}
	return v
}

// field returns the step to a member of an object. An unknown key may contain anything, but an
// error is one line.
func field(key string) string {
	if identifier().MatchString(key) {
		return "." + key
	}
	return "[" + quote(key) + "]"
}

var identifier = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\w{1,80}$`) })

// index returns the step to an element of a list.
func index(i int) string { return "[" + strconv.Itoa(i) + "]" }

// quote quotes a string of the document, or its beginning.
func quote(s string) string {
	const most = 80 // bytes
	if len(s) > most {
		return strconv.Quote(s[:most]) + "..."
	}
	return strconv.Quote(s)
}

// validate returns the first violation of s in text, in the order of the document, or nil. The text
// must be valid JSON. Validation is stricter than JSON Schema in two ways, because the text is then
// decoded into Go structs: an integer has no fraction or exponent and fits into 64 bits, and no key
// appears twice.
func (s *schema) validate(text []byte) *violation { return s.value(&scanner{text}) }

// value validates the next value and steps over it.
func (s *schema) value(p *scanner) *violation {
	if s.ref != nil {
		begin := *p
		if bad := s.ref.value(p); bad != nil || s.onlyRef {
			return bad
		}
		*p = begin
	}
	got := typeAt(p.next())
	if s.Type != "" && s.Type != got && (s.Type != "integer" || got != "number") {
		return violated("want %s, got %s", withArticle[s.Type], got)
	}
	switch got {
	case "object":
		return s.object(p)

	case "array":
		p.open()
		for i := 0; p.more(']'); i++ {
			if s.Items == nil {
				p.skip()
			} else if bad := s.Items.value(p); bad != nil {
				return bad.in(index(i))
			}
		}

	case "string":
		if quoted := p.string(); s.Const != nil || s.Enum != nil || s.pattern != nil {
			return s.string(unquote(quoted))
		}

	case "number":
		return s.number(string(p.word()))

	case "boolean", "null":
		p.word() // only the type can be wrong
	}
	return nil
}

func (s *schema) string(v []byte) *violation {
	switch {
	case s.Const != nil && string(v) != *s.Const:
		return violated("want %s, got %s", quote(*s.Const), quote(string(v)))
	case s.Enum != nil && !s.hasEnum(v):
		return violated("%s is not one of %s", quote(string(v)), strings.Join(s.Enum, ", "))
	case s.Pattern == "." && len(bytes.Trim(v, "\n")) > 0: // fast path for the most common pattern
	case s.pattern != nil && !s.pattern.Match(v):
		return violated("%s does not match %s", quote(string(v)), s.Pattern)
	}
	return nil
}

// hasEnum reports whether v is in Enum, without allocating a string.
func (s *schema) hasEnum(v []byte) bool {
	return slices.ContainsFunc(s.Enum, func(e string) bool { return e == string(v) })
}

func (s *schema) number(v string) *violation {
	if s.Type == "integer" {
		if _, err := strconv.ParseInt(v, 10, 64); err != nil {
			return violated("want an integer, got number")
		}
	}
	if s.Minimum == nil && s.Maximum == nil {
		return nil
	}
	f, _ := strconv.ParseFloat(v, 64) // out of range gives an infinity, which compares correctly
	switch {
	case s.Minimum != nil && f < *s.Minimum:
		return violated("%s is less than %v", v, *s.Minimum)
	case s.Maximum != nil && f > *s.Maximum:
		return violated("%s is more than %v", v, *s.Maximum)
	}
	return nil
}

func (s *schema) object(p *scanner) *violation {
	var seen uint64
	p.open()
	for p.more('}') {
		key := p.key()
		member := s.Properties[string(key)]
		switch {
		case member == nil && s.AdditionalProperties != nil && !*s.AdditionalProperties:
			return violated("unknown field").in(field(string(key)))
		case member == nil:
			p.skip()
			continue
		case seen&member.bit != 0:
			return violated("appears twice").in(field(string(key)))
		}
		seen |= member.bit
		if bad := member.value(p); bad != nil {
			return bad.in(field(string(key)))
		}
	}
	if s.required&^seen == 0 {
		return nil
	}
	i := slices.IndexFunc(s.Required, func(key string) bool { return seen&s.Properties[key].bit == 0 })
	return violated("%q is missing", s.Required[i])
}

var withArticle = map[string]string{
	"object": "an object", "array": "an array", "string": "a string",
	"integer": "an integer", "number": "a number", "boolean": "a boolean",
}

// typeAt returns JSON's name for the type of the value that begins with this byte.
func typeAt(first byte) string {
	switch first {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	default:
		return "number"
	}
}
