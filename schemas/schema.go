package schemas

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

//go:embed *.schema.json
var files embed.FS

// Schema returns the JSON Schema (draft 2020-12) of the document with that name, one of Names, or
// nil if there is none. The root of the schema of traces describes the header, #/$defs/sample the
// other lines.
func Schema(doc string) []byte {
	text, err := files.ReadFile(doc + ".schema.json")
	if err != nil {
		return nil
	}
	return text
}

// A schema is a JSON Schema or a part of one. Our files may use only the keywords that are fields
// here: parseSchema refuses others, since the validator would silently ignore them.
type schema struct {
	// For people; the validator ignores them.
	Dialect     string `json:"$schema"`
	Title       string `json:"title"`
	Description string `json:"description"`

	// Type is object, array, string, integer, number or boolean.
	Type                 string             `json:"type"`
	Properties           map[string]*schema `json:"properties"`
	Required             []string           `json:"required"`
	AdditionalProperties *bool              `json:"additionalProperties"`
	Items                *schema            `json:"items"`
	// Enum and Const hold only strings in our files.
	Enum    []string `json:"enum"`
	Const   *string  `json:"const"`
	Pattern string   `json:"pattern"`
	Minimum *float64 `json:"minimum"`
	Maximum *float64 `json:"maximum"`
	// Ref is "#/$defs/NAME". Keywords beside it apply, too, as they do since draft 2019-09.
	Ref  string             `json:"$ref"`
	Defs map[string]*schema `json:"$defs"`

	// Set by link.
	pattern  *regexp.Regexp // Pattern, compiled
	ref      *schema        // the target of Ref
	onlyRef  bool           // Ref is the only keyword
	bit      uint64         // a bit that identifies the schema among its parent's properties
	required uint64         // the bits of the properties in Required
}

// schemaOf returns the parsed schema of a document. It parses each schema on first use, since a
// program reads and writes only a few documents.
func schemaOf(doc string) *schema { return parsed[doc]() }

var parsed = func() map[string]func() *schema {
	schemas := map[string]func() *schema{}
	for _, name := range Names {
		schemas[name] = sync.OnceValue(func() *schema {
			s, err := parseSchema(Schema(name))
			if err != nil {
				// A bug: the file is embedded.
				panic(fmt.Sprintf("schemas: %s.schema.json: %v", name, err))
			}
			return s
		})
	}
	return schemas
}()

func parseSchema(text []byte) (*schema, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	root := new(schema)
	if err := dec.Decode(root); err != nil {
		return nil, err
	}
	return root, root.link(root)
}

// link compiles the patterns and resolves the references in s and the schemas below it.
func (s *schema) link(root *schema) (err error) {
	if s.Pattern != "" {
		if s.pattern, err = regexp.Compile(s.Pattern); err != nil {
			return err
		}
	}
	if s.Ref != "" {
		name, local := strings.CutPrefix(s.Ref, "#/$defs/")
		if s.ref = root.Defs[name]; !local || s.ref == nil {
			return fmt.Errorf("$ref %q has no target", s.Ref)
		}
		s.onlyRef = s.Type == "" && s.Properties == nil && s.Required == nil &&
			s.AdditionalProperties == nil && s.Items == nil && s.Enum == nil && s.Const == nil &&
			s.Pattern == "" && s.Minimum == nil && s.Maximum == nil
	}
	if len(s.Properties) > 64 {
		return fmt.Errorf("%d properties, more than the 64 that fit a bit set", len(s.Properties))
	}
	next := uint64(1)
	for _, p := range s.Properties {
		p.bit, next = next, next<<1
	}
	for _, key := range s.Required {
		p := s.Properties[key]
		if p == nil {
			return fmt.Errorf("%q is required but not a property", key)
		}
		s.required |= p.bit
	}
	var below []*schema
	if s.Items != nil {
		below = append(below, s.Items)
	}
	for _, p := range s.Properties {
		below = append(below, p)
	}
	for _, d := range s.Defs {
		below = append(below, d)
	}
	for _, b := range below {
		if err := b.link(root); err != nil {
			return err
		}
	}
	return nil
}
