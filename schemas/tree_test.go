package schemas

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
)

// FuzzTree compares the trees with those of the standard library's tokens.
func FuzzTree(f *testing.F) {
	for _, text := range examples(f, "testdata/*.json") {
		f.Add(text)
	}
	for _, text := range []string{
		`null`, ` true `, `-1.5e+3`, `""`, `[]`, `{}`, "[1 ,\t2\n,false\r]", `{"a" : {"a":[[],{}], "a":0 } }`, `"\"\\"`, `"\\"`, `["\ud800","\u00e9","é"]`,
		"\"\xff\"", "{\"\xff\":\"\\n\"}", `["a\"b","c"]`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !json.Valid(text) {
			return
		}
		if got, want := tree(text), tokens(text); !reflect.DeepEqual(got, want) {
			t.Errorf("tree(%q):\n got %#v\nwant %#v", text, got, want)
		}
	})
}

// tokens is what tree does, by the standard library.
func tokens(text []byte) any {
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
