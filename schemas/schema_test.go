package schemas

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Every schema file must hold only what the validator understands; all of them parse here, or this panics.
func TestSchemasParse(t *testing.T) {
	for _, name := range kinds {
		s := schemaOf(name)
		if got := s.Title; got != fullName(name) {
			t.Errorf("%s.schema.json: title %q, want %q", name, got, fullName(name))
		}
		if got := s.Properties["schema"].Const; got == nil || *got != fullName(name) {
			t.Errorf("%s.schema.json: const of schema is %v, want %q", name, got, fullName(name))
		}
	}
	if got := Schema("nonesuch"); got != nil {
		t.Errorf("Schema(nonesuch) = %q, want nil", got)
	}
}

func TestParseSchemaRefuses(t *testing.T) {
	for _, test := range []struct{ schema, want string }{
		{`{"type": "object", "minItems": 1}`, `unknown field "minItems"`},
		{`{"items": {"oneOf": []}}`, `unknown field "oneOf"`},
		{`{"items": {"$ref": "#/$defs/gone"}}`, `leads nowhere`},
		{`{"$ref": "other.json", "$defs": {"other.json": {}}}`, `leads nowhere`},
		{`{"properties": {"a": {"pattern": "("}}}`, `missing closing )`},
		{`{"properties": {"a": {}}, "required": ["b"]}`, `"b" is required and no property`},
	} {
		_, err := parseSchema([]byte(test.schema))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", test.schema, err, test.want)
		}
	}
}

// The schemas and the Go types say the same: which keys there are, which must be there, and their types.
func TestSchemasMatchTypes(t *testing.T) {
	m := matcher{t, map[string]bool{}}
	m.match(InvariantsName, schemaOf(InvariantsName), reflect.TypeFor[Invariants]())
	m.match(WarningsName, schemaOf(WarningsName), reflect.TypeFor[Warnings]())
	m.match(CrashesName, schemaOf(CrashesName), reflect.TypeFor[Crashes]())
	m.match(TraceName, schemaOf(TraceName), reflect.TypeFor[TraceHeader]())
	m.match(TraceName+" sample", schemaOf(TraceName).Defs["sample"], reflect.TypeFor[Sample]())
}

type matcher struct {
	t    *testing.T
	done map[string]bool // schemas and types, by address and name: nodes contain nodes
}

func (m matcher) match(path string, s *schema, typ reflect.Type) {
	m.t.Helper()
	for s.ref != nil {
		s = s.ref
	}
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	pair := fmt.Sprintf("%p %v", s, typ)
	if m.done[pair] {
		return
	}
	m.done[pair] = true

	want := map[reflect.Kind]string{
		reflect.Struct: "object", reflect.Slice: "array", reflect.String: "string", reflect.Bool: "boolean",
		reflect.Int: "integer", reflect.Int64: "integer", reflect.Float64: "number",
	}[typ.Kind()]
	if s.Type != want {
		m.t.Errorf("%s: type %q in the schema, %v in Go", path, s.Type, typ)
		return
	}
	switch typ.Kind() {
	case reflect.Slice:
		m.match(path+"[]", s.Items, typ.Elem())

	case reflect.Struct:
		if s.AdditionalProperties == nil || *s.AdditionalProperties {
			m.t.Errorf("%s: the schema allows other keys", path)
		}
		var keys, required []string
		for _, f := range reflect.VisibleFields(typ) {
			if f.Anonymous {
				continue
			}
			key, option, _ := strings.Cut(f.Tag.Get("json"), ",")
			keys = append(keys, key)
			if option != "omitempty" {
				required = append(required, key)
			}
			if p := s.Properties[key]; p != nil {
				m.match(path+"."+key, p, f.Type)
			}
		}
		if got := slices.Sorted(maps.Keys(s.Properties)); !slices.Equal(got, slices.Sorted(slices.Values(keys))) {
			m.t.Errorf("%s: keys %v in the schema, %v in Go", path, got, keys)
		}
		if !slices.Equal(s.Required, required) {
			m.t.Errorf("%s: required %v in the schema, without omitempty in Go: %v", path, s.Required, required)
		}
	}
}
