package schemas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// WriteInvariants writes d to w in one call of Write, after checking that ReadInvariants will accept it; a document
// that it would refuse is an error and nothing is written. An empty d.Schema is filled in, and so are nil lists.
func WriteInvariants(w io.Writer, d *Invariants) error { return write(w, InvariantsName, d) }

// WriteWarnings is like WriteInvariants.
func WriteWarnings(w io.Writer, d *Warnings) error { return write(w, WarningsName, d) }

// WriteCrashes is like WriteInvariants.
func WriteCrashes(w io.Writer, d *Crashes) error { return write(w, CrashesName, d) }

func (h *Header) header() *Header { return h }

func write[D document](w io.Writer, kind string, d D) error {
	text, err := encode(kind, d.header(), d, "  ")
	if err != nil {
		return err
	}
	if bad := d.consistent(); bad != nil {
		return fmt.Errorf("writing %s: %w", fullName(kind), bad)
	}
	_, err = w.Write(text)
	return err
}

// encode returns the text of d, a pointer to a document of that kind or to a trace's header, whose header is h,
// with a newline at the end. The empty indent puts it all on one line.
func encode(kind string, h *Header, d any, indent string) ([]byte, error) {
	if h.Schema == "" {
		h.Schema = fullName(kind)
	}
	normalize(reflect.ValueOf(d).Elem())
	go schemaOf(kind) // which is parsed meanwhile
	var compact bytes.Buffer
	enc := json.NewEncoder(&compact)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(d); err != nil {
		return nil, fmt.Errorf("writing %s: %w", fullName(kind), err)
	}
	text := make(chan []byte, 1)
	go func() { // meanwhile: of a large document either takes long
		if indent == "" {
			text <- compact.Bytes()
			return
		}
		text <- layOut(compact.Bytes(), indent)
	}()
	if bad := schemaOf(kind).validate(compact.Bytes()); bad != nil {
		return nil, fmt.Errorf("writing %s: %w", fullName(kind), bad)
	}
	return <-text, nil
}

// normalize gives every list in v, a settable struct, the one form in which it is both read and written, so that
// documents that mean the same are deeply equal: an empty list is nil where it is left out of the JSON, and is not
// nil, hence not null in the JSON, where it must be there.
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
