package schemas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// A JSON text as a tree of object, []any, string, json.Number, bool and nil.
type (
	object []member
	member struct {
		key   string
		value any
	}
)

// get returns the first value with that key.
func (o object) get(key string) (value any, ok bool) {
	for _, m := range o {
		if m.key == key {
			return m.value, true
		}
	}
	return nil, false
}

// FuzzValidate compares the validator with a slow one that uses the standard library's tokens, and
// the indentation with the standard library's.
func FuzzValidate(f *testing.F) {
	for _, text := range examples(f, "testdata/*.json") {
		f.Add(text)
	}
	for _, text := range []string{
		`null`, ` true `, `-1.5e+3`, `""`, `[]`, `{}`, "[1 ,\t2\n,false\r]",
		`{"a" : {"a":[[],{}], "a":0 } }`, `"\"\\"`, `"\\"`, `["\ud800","\u00e9","é"]`,
		"\"\xff\"", "{\"\xff\":\"\\n\"}", `["a\"b","c"]`, `{"p":1,"n":9223372036854775808}`,
		`{"p":0,"n":1e3,"v":["\n"]}`, `{"p":0,"p":1}`,
		`{"schema":"dsd/trace/v1","module":{"path":"a","go":"1"},"tests":-1}`,
		`{"a":[{"schema":1}],"schema":"dsd\/trace\/v1"}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !json.Valid(text) {
			return
		}
		v := tree(text)
		root, _ := v.(object)
		name, _ := root.get("schema")
		if got, want := identify(text, TraceName) == nil, name == fullName(TraceName); got != want {
			t.Errorf("%q: is a trace: %v, want %v", text, got, want)
		}
		for _, doc := range Names {
			schemas := []*schema{schemaOf(doc)}
			for _, d := range schemas[0].Defs {
				schemas = append(schemas, d)
			}
			for _, s := range schemas {
				if got, want := s.validate(text), byTree(s, v); !reflect.DeepEqual(got, want) {
					t.Errorf("%q as %s %q: got %v, want %v", text, doc, s.Description, got, want)
				}
			}
		}
		var compact, want bytes.Buffer
		if json.Compact(&compact, text) != nil || json.Indent(&want, compact.Bytes(), "", "  ") != nil {
			return
		}
		if got := indented(compact.Bytes(), "  "); !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%q: indented %q, want %q", text, got, want.Bytes())
		}
	})
}

// byTree is validate for a tree.
func byTree(s *schema, v any) *violation {
	if s.ref != nil {
		if bad := byTree(s.ref, v); bad != nil {
			return bad
		}
	}
	if s.Type != "" && !hasType(v, s.Type) {
		return violated("want %s, got %s", withArticle[s.Type], typeName(v))
	}
	switch v := v.(type) {
	case object:
		return objectByTree(s, v)

	case []any:
		if s.Items == nil {
			return nil
		}
		for i, e := range v {
			if bad := byTree(s.Items, e); bad != nil {
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
		f, _ := v.Float64() // out of range gives an infinity, which compares correctly
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

func objectByTree(s *schema, o object) *violation {
	for i, m := range o {
		p, known := s.Properties[m.key]
		if !known {
			if s.AdditionalProperties != nil && !*s.AdditionalProperties {
				return violated("unknown field").in(field(m.key))
			}
			continue
		}
		// There are few known keys, so this loop is short.
		if _, twice := o[:i].get(m.key); twice {
			return violated("appears twice").in(field(m.key))
		}
		if bad := byTree(p, m.value); bad != nil {
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

// typeName returns JSON's name for the type of a tree.
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

// tree parses text, which must be valid JSON.
func tree(text []byte) any {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var value func() any
	token := func() json.Token {
		tok, err := dec.Token()
		if err != nil {
			panic(err)
		}
		return tok
	}
	value = func() any {
		switch tok := token(); tok {
		case json.Delim('{'):
			o := object{}
			for dec.More() {
				key := token().(string)
				o = append(o, member{key, value()})
			}
			token()
			return o
		case json.Delim('['):
			a := []any{}
			for dec.More() {
				a = append(a, value())
			}
			token()
			return a
		default:
			return tok
		}
	}
	return value()
}
