package schemas

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A violation is the first place where a document does not keep to its schema.
type violation struct {
	path    string // ".warnings[3].id", built from the inside out; "" is the whole document
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

// in says that v was found below a step, a field or an index; nil stays nil.
func (v *violation) in(step string) *violation {
	if v != nil {
		v.path = step + v.path
	}
	return v
}

// field is the step to an object's member. Keys of strangers may hold anything; an error is one line.
func field(key string) string {
	if identifier().MatchString(key) {
		return "." + key
	}
	return "[" + quote(key) + "]"
}

var identifier = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\w{1,80}$`) })

// index is the step to a list's element.
func index(i int) string { return "[" + strconv.Itoa(i) + "]" }

// quote shows a string of the document, or its beginning.
func quote(s string) string {
	const most = 80 // bytes
	if len(s) > most {
		return strconv.Quote(s[:most]) + "..."
	}
	return strconv.Quote(s)
}

// validate returns the first violation of s in v, a tree, in the order of the document; nil if there is none.
// It departs from JSON Schema in two things, both because Go structs come next: an integer is written without
// fraction and exponent and fits into 64 bits, and no key is there twice.
func (s *schema) validate(v any) *violation {
	if s.ref != nil {
		if bad := s.ref.validate(v); bad != nil {
			return bad
		}
	}
	if s.Type != "" && !hasType(v, s.Type) {
		return violated("want %s, got %s", withArticle[s.Type], typeName(v))
	}
	switch v := v.(type) {
	case object:
		return s.validateObject(v)

	case []any:
		if s.Items == nil {
			return nil
		}
		for i, e := range v {
			if bad := s.Items.validate(e); bad != nil {
				return bad.in(index(i))
			}
		}

	case string:
		switch {
		case s.Const != nil && v != *s.Const:
			return violated("want %s, got %s", quote(*s.Const), quote(v))
		case s.Enum != nil && !slices.Contains(s.Enum, v):
			return violated("%s is not one of %s", quote(v), strings.Join(s.Enum, ", "))
		case s.pattern != nil && !s.pattern.MatchString(v):
			return violated("%s does not match %s", quote(v), s.Pattern)
		}

	case json.Number:
		f, _ := v.Float64() // out of range is an infinity, and the comparison right
		switch {
		case s.Minimum != nil && f < *s.Minimum:
			return violated("%s is less than %v", v, *s.Minimum)
		case s.Maximum != nil && f > *s.Maximum:
			return violated("%s is more than %v", v, *s.Maximum)
		}

	case bool, nil:
		// Only the type can be wrong.
	}
	return nil
}

func (s *schema) validateObject(o object) *violation {
	for i, m := range o {
		p, known := s.Properties[m.key]
		if !known {
			if s.AdditionalProperties != nil && !*s.AdditionalProperties {
				return violated("unknown field").in(field(m.key))
			}
			continue
		}
		// Known keys are few, so this loop is short.
		if _, twice := o[:i].get(m.key); twice {
			return violated("is there twice").in(field(m.key))
		}
		if bad := p.validate(m.value); bad != nil {
			return bad.in(field(m.key))
		}
	}
	for _, key := range s.Required {
		if _, ok := o.get(key); !ok {
			return violated("%q is missing", key)
		}
	}
	return nil
}

var withArticle = map[string]string{
	"object": "an object", "array": "an array", "string": "a string", "integer": "an integer", "number": "a number",
	"boolean": "a boolean",
}

func hasType(v any, want string) bool {
	if want == "integer" {
		n, ok := v.(json.Number)
		if !ok {
			return false
		}
		_, err := n.Int64()
		return err == nil
	}
	return typeName(v) == want
}

// typeName is JSON's name for the type of a tree.
func typeName(v any) string {
	switch v.(type) {
	case object:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case json.Number:
		return "number"
	case bool:
		return "boolean"
	case nil:
		return "null"
	default:
		panic(fmt.Sprintf("schemas: %T in a tree", v))
	}
}
