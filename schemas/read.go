package schemas

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strconv"
	"sync"
)

// version is the N of "dsd/NAME/vN" in all documents that this package reads and writes.
const version = 1

// fullName returns the value of "schema" in a document.
func fullName(doc string) string { return fmt.Sprintf("dsd/%s/v%d", doc, version) }

// document is a pointer to the type of any document but a trace.
type document interface {
	header() *Header
	consistent() *violation
}

// read fills d, an empty document of that name, from the whole of r. Errors call the input name.
func read[D document](r io.Reader, name, doc string, d D) (D, error) {
	err := func() error {
		text, rest, err := decode(r, doc, d)
		if err != nil {
			return err
		}
		if bad := d.consistent(); bad != nil {
			return bad
		}
		more, err := io.ReadAll(rest)
		if err != nil {
			return err
		}
		if blank := len(more) - len(bytes.TrimLeft(more, " \t\r\n")); blank < len(more) {
			line, column := lineColumn(append(text, more...), len(text)+blank)
			return fmt.Errorf("has more after the document: line %d, column %d", line, column)
		}
		return nil
	}()
	if err != nil {
		var none D
		return none, fmt.Errorf("%s: %w", name, err)
	}
	return d, nil
}

// decode reads the first JSON value of r into d, a pointer to a document of that name or to the
// header of a trace, and checks it against the schema. It returns the text up to the end of the
// value and a reader of the rest.
func decode(r io.Reader, doc string, d any) (text []byte, rest io.Reader, err error) {
	var seen bytes.Buffer
	var value json.RawMessage
	dec := json.NewDecoder(io.TeeReader(r, &seen))
	var syntax *json.SyntaxError
	switch err := dec.Decode(&value); {
	case err == io.EOF:
		return nil, nil, errors.New("is empty")
	case err == io.ErrUnexpectedEOF:
		return nil, nil, fmt.Errorf("is cut off after %d bytes", seen.Len())
	case errors.As(err, &syntax):
		line, column := lineColumn(seen.Bytes(), max(0, int(syntax.Offset)-1))
		return nil, nil, fmt.Errorf("is not JSON: line %d, column %d: %w", line, column, err)
	case err != nil:
		return nil, nil, err
	}
	if err := unmarshal(value, doc, d); err != nil {
		return nil, nil, err
	}
	return seen.Bytes()[:dec.InputOffset()], io.MultiReader(dec.Buffered(), r), nil
}

// unmarshal is decode for a text that is one JSON value. For any other text it returns errNotJSON.
func unmarshal(value []byte, doc string, d any) error {
	checked := make(chan error, 1) // in parallel: both steps take long for a large document
	go func() { checked <- check(value, doc) }()
	unmarshaled := json.Unmarshal(value, d)
	if err := cmp.Or(<-checked, unmarshaled); err != nil {
		return err
	}
	normalize(reflect.ValueOf(d).Elem())
	return nil
}

var errNotJSON = errors.New("is not JSON")

// check returns the first problem of a text that should be a document of that name. It returns
// errNotJSON unless the text is a JSON value, since the scanner relies on that.
func check(value []byte, doc string) error {
	if !json.Valid(value) {
		return errNotJSON
	}
	if err := identify(value, doc); err != nil {
		return err
	}
	if bad := schemaOf(doc).validate(value); bad != nil {
		return bad
	}
	return nil
}

// lineColumn returns the position of text[offset]. Lines and columns begin at 1; columns count
// bytes.
func lineColumn(text []byte, offset int) (line, column int) {
	before := text[:offset]
	return 1 + bytes.Count(before, []byte("\n")), offset - bytes.LastIndexByte(before, '\n')
}

var schemaName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^dsd/([a-z]+)/v([1-9][0-9]{0,5})$`)
})

// NameOf returns the NAME in the "dsd/NAME/vN" of a document's text, or "" if it has none.
func NameOf(text []byte) string {
	var head struct{ Schema string }
	if json.NewDecoder(bytes.NewReader(text)).Decode(&head) != nil {
		return ""
	}
	if m := schemaName().FindStringSubmatch(head.Schema); m != nil {
		return m[1]
	}
	return ""
}

// identify checks that text, which must be valid JSON, claims to be a document of that name in our
// version. It comes before the schema: the violations of another document or version would not tell
// a user what is wrong.
func identify(text []byte, doc string) error {
	p := &scanner{text}
	var schema []byte // the value of "schema", in quotes
	if p.next() == '{' {
		p.open()
		for schema == nil && p.more('}') {
			isSchema := string(p.key()) == "schema"
			value := p.rest
			p.skip()
			if isSchema {
				schema = value[:len(value)-len(p.rest)]
			}
		}
	}
	if schema == nil {
		return errors.New(`has no "schema": not a dsd document`)
	}
	if t := typeAt(schema[0]); t != "string" {
		return fmt.Errorf(`has a "schema" that is not a string but %s: not a dsd document`, t)
	}
	name := string(unquote(schema))
	m := schemaName().FindStringSubmatch(name)
	if m == nil {
		return fmt.Errorf("has the schema %s: not a dsd document", quote(name))
	}
	if m[1] != doc {
		return fmt.Errorf("is a %s document, want %s", name, fullName(doc))
	}
	if v, _ := strconv.Atoi(m[2]); v > version {
		return fmt.Errorf("is %s; this program reads v%d: update dsd", name, version)
	}
	return nil // an older version, once there is one, violates the const in the schema
}
