package schemas

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// A JSON text as a tree, to be validated: object, []any, string, json.Number, bool or nil. Not json.Unmarshal into
// an any: that loses the order of keys, hence which problem is the first, and the second of two equal keys, which
// json.Unmarshal into a struct would then merge with the first.
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

// tree parses text, which must be valid JSON.
func tree(text []byte) any {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	return subtree(dec)
}

func subtree(dec *json.Decoder) any {
	switch tok := token(dec); tok {
	case json.Delim('{'):
		o := object{}
		for dec.More() {
			key := token(dec).(string)
			o = append(o, member{key, subtree(dec)})
		}
		token(dec)
		return o

	case json.Delim('['):
		a := []any{}
		for dec.More() {
			a = append(a, subtree(dec))
		}
		token(dec)
		return a

	default:
		return tok
	}
}

func token(dec *json.Decoder) json.Token {
	tok, err := dec.Token()
	if err != nil {
		panic(fmt.Sprintf("schemas: tree of a text that is not JSON: %v", err))
	}
	return tok
}
