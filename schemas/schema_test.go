package schemas

import (
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Names, the package comment and the embedded files name the same documents.
func TestNames(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var documented []string
	for _, m := range regexp.MustCompile(`(?m)^//\t(\w+) +\w+ .*->`).FindAllSubmatch(doc, -1) {
		documented = append(documented, string(m[1]))
	}
	if !slices.Equal(documented, Names) {
		t.Errorf("doc.go has the documents %v, Names %v", documented, Names)
	}
	entries, err := files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var embedded []string
	for _, e := range entries {
		embedded = append(embedded, strings.TrimSuffix(e.Name(), ".schema.json"))
	}
	if want := slices.Sorted(slices.Values(Names)); !slices.Equal(embedded, want) {
		t.Errorf("there are schemas of %v, want %v", embedded, want)
	}
}

// Schema files hold only what the validator understands: schemaOf panics otherwise.
func TestSchemasParse(t *testing.T) {
	for _, name := range Names {
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
		{`{"items": {"$ref": "#/$defs/gone"}}`, `has no target`},
		{`{"$ref": "other.json", "$defs": {"other.json": {}}}`, `has no target`},
		{`{"properties": {"a": {"pattern": "("}}}`, `missing closing )`},
		{`{"properties": {"a": {}}, "required": ["b"]}`, `"b" is required but not a property`},
	} {
		_, err := parseSchema([]byte(test.schema))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", test.schema, err, test.want)
		}
	}
}

// The schemas and the Go types have the same keys with the same types, and require the same keys.
func TestSchemasMatchTypes(t *testing.T) {
	m := matcher{t, map[string]bool{}}
	for doc, typ := range map[string]reflect.Type{
		TraceName:      reflect.TypeFor[TraceHeader](),
		InvariantsName: reflect.TypeFor[Invariants](),
		ChangesName:    reflect.TypeFor[Changes](),
		ModelsName:     reflect.TypeFor[Models](),
		WarningsName:   reflect.TypeFor[Warnings](),
		CrashesName:    reflect.TypeFor[Crashes](),
		PanicName:      reflect.TypeFor[Panic](),
		RecordingName:  reflect.TypeFor[Recording](),
	} {
		m.match(doc, schemaOf(doc), typ)
	}
	m.match(TraceName+" sample", schemaOf(TraceName).Defs["sample"], reflect.TypeFor[Sample]())
}

type matcher struct {
	t    *testing.T
	done map[string]bool // pairs of schema and type that were compared: nodes contain nodes
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
		reflect.Struct: "object", reflect.Slice: "array", reflect.String: "string",
		reflect.Bool: "boolean", reflect.Int: "integer", reflect.Int64: "integer",
		reflect.Float64: "number",
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
		if got := slices.Sorted(maps.Keys(s.Properties)); !slices.Equal(got,
			slices.Sorted(slices.Values(keys))) {
			m.t.Errorf("%s: keys %v in the schema, %v in Go", path, got, keys)
		}
		if !slices.Equal(s.Required, required) {
			m.t.Errorf("%s: required %v in the schema, without omitempty in Go: %v", path, s.Required,
				required)
		}
	}
}
