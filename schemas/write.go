package schemas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
)

func (h *Header) header() *Header { return h }

// write writes d, a document of that name, to w. WriteInvariants has the contract.
func write[D document](w io.Writer, doc string, d D) error {
	text, err := encode(doc, d.header(), d, "  ")
	if err != nil {
		return err
	}
	if bad := d.consistent(); bad != nil {
		return fmt.Errorf("writing %s: %w", fullName(doc), bad)
	}
	_, err = w.Write(text)
	return err
}

// encode returns the text of d with a newline at the end. d is a pointer to a document of that name
// or to the header of a trace; h is its header. An empty indent puts the text on one line.
func encode(doc string, h *Header, d any, indent string) ([]byte, error) {
	if h.Schema == "" {
		h.Schema = fullName(doc)
	}
	normalize(reflect.ValueOf(d).Elem())
	go schemaOf(doc) // parses the schema, in parallel
	e := &encoding{doc: doc, indent: indent}
	enc := json.NewEncoder(e)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(d); err != nil {
		return nil, fmt.Errorf("writing %s: %w", fullName(doc), err)
	}
	return e.text, nil
}

// encoding receives the compact text of a document from an encoder, in one call, and keeps its
// final text. It does not copy the compact one.
type encoding struct {
	doc, indent string
	text        []byte
}

func (e *encoding) Write(compact []byte) (int, error) {
	bad := make(chan *violation, 1)
	go func() { bad <- schemaOf(e.doc).validate(compact) }() // both steps take long
	if e.indent == "" {
		e.text = bytes.Clone(compact)
	} else {
		e.text = indented(compact, e.indent)
	}
	if v := <-bad; v != nil {
		return 0, v
	}
	return len(compact), nil
}

// normalize gives every list in v, a settable struct, the form in which it is both read and
// written, so that documents that mean the same are deeply equal. An empty list is nil if the JSON
// omits it. Otherwise it is not nil, because nil would be null in the JSON.
func normalize(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Field(i)
			if f.Kind() == reflect.Slice && f.Len() == 0 {
				if strings.HasSuffix(v.Type().Field(i).Tag.Get("json"), ",omitempty") {
					f.SetZero()
				} else if f.IsNil() {
					f.Set(reflect.MakeSlice(f.Type(), 0, 0))
				}
			}
			normalize(f)
		}

	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.String {
			return
		}
		for i := range v.Len() {
			normalize(v.Index(i))
		}

	case reflect.Pointer:
		if !v.IsNil() {
			normalize(v.Elem())
		}
	}
}
