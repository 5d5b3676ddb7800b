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

// ReadInvariants reads what `infer invariants` writes, to the end of r. Errors call the input name.
func ReadInvariants(r io.Reader, name string) (*Invariants, error) {
	return read(r, name, InvariantsName, new(Invariants))
}

// ReadWarnings reads what `check` writes, to the end of r. Errors call the input name.
func ReadWarnings(r io.Reader, name string) (*Warnings, error) {
	return read(r, name, WarningsName, new(Warnings))
}

// ReadCrashes reads what `crash` writes, to the end of r. Errors call the input name.
func ReadCrashes(r io.Reader, name string) (*Crashes, error) {
	return read(r, name, CrashesName, new(Crashes))
}

// version is the N of "dsd/NAME/vN" in all documents that this package reads and writes.
const version = 1

// fullName is what a document's "schema" must be.
func fullName(kind string) string { return fmt.Sprintf("dsd/%s/v%d", kind, version) }

// document is one of *Invariants, *Warnings, *Crashes, *Panic, *Models.
type document interface {
	header() *Header
	consistent() *violation
}

// read fills d, an empty document of that kind.
func read[D document](r io.Reader, name, kind string, d D) (D, error) {
	err := func() error {
		text, rest, err := decode(r, kind, d)
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
			line, column := place(append(text, more...), len(text)+blank)
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

// decode reads the first JSON value of r into d, a pointer to a document of that kind or to a trace's header, and
// checks it against the schema. It returns the text up to the value's end and a reader of what follows.
func decode(r io.Reader, kind string, d any) (text []byte, rest io.Reader, err error) {
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
		line, column := place(seen.Bytes(), max(0, int(syntax.Offset)-1))
		return nil, nil, fmt.Errorf("is not JSON: line %d, column %d: %w", line, column, err)
	case err != nil:
		return nil, nil, err
	}
	if err := fill(value, kind, d); err != nil {
		return nil, nil, err
	}
	return seen.Bytes()[:dec.InputOffset()], io.MultiReader(dec.Buffered(), r), nil
}

// fill is decode for a text that is a JSON value and nothing else; any other is errNotJSON.
func fill(value []byte, kind string, d any) error {
	checked := make(chan error, 1) // meanwhile: of a large document either takes long
	go func() { checked <- check(value, kind) }()
	unmarshaled := json.Unmarshal(value, d)
	if err := cmp.Or(<-checked, unmarshaled); err != nil {
		return err
	}
	normalize(reflect.ValueOf(d).Elem())
	return nil
}

var errNotJSON = errors.New("is not JSON")

// check says what is wrong with a text that is to be a document of that kind; errNotJSON if it is no JSON value, which the scanner relies on.
func check(value []byte, kind string) error {
	if !json.Valid(value) {
		return errNotJSON
	}
	if err := identify(value, kind); err != nil {
		return err
	}
	if bad := schemaOf(kind).validate(value); bad != nil {
		return bad
	}
	return nil
}

// place returns the position of text[offset]; lines and columns begin at 1, columns count bytes.
func place(text []byte, offset int) (line, column int) {
	before := text[:offset]
	return 1 + bytes.Count(before, []byte("\n")), offset - bytes.LastIndexByte(before, '\n')
}

var schemaName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^dsd/([a-z]+)/v([1-9][0-9]{0,5})$`) })

// NameOf is the NAME of the "dsd/NAME/vN" that a text says to be, "" if it says none.
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

// identify checks that a text, which must be valid JSON, says to be a document of that kind and in our version, before anything else is asked of
// it: other kinds and versions keep to other schemas, whose violations would tell a user nothing.
func identify(text []byte, kind string) error {
	p := &scanner{text}
	var said []byte // as the text has it
	if p.next() == '{' {
		p.open()
		for said == nil && p.more('}') {
			is := string(p.key()) == "schema"
			value := p.rest
			p.skip()
			if is {
				said = value[:len(value)-len(p.rest)]
			}
		}
	}
	if said == nil {
		return errors.New(`has no "schema": not a dsd document`)
	}
	if is := typeAt(said[0]); is != "string" {
		return fmt.Errorf(`has a "schema" that is no string but %s: not a dsd document`, is)
	}
	name := string(unquote(said))
	m := schemaName().FindStringSubmatch(name)
	if m == nil {
		return fmt.Errorf("has the schema %s: not a dsd document", quote(name))
	}
	if m[1] != kind {
		return fmt.Errorf("is a %s document, want %s", name, fullName(kind))
	}
	if v, _ := strconv.Atoi(m[2]); v > version {
		return fmt.Errorf("is %s; this program reads v%d: update dsd", name, version)
	}
	return nil // an older version, once there is one, fails at the schema's const
}
