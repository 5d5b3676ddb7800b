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

// Schema returns the JSON Schema (draft 2020-12) of the document with that name ("trace", "invariants", "warnings",
// "crashes", "panic", "models", "recording", "changes"), nil if there is none. The root of the trace's describes the header line, #/$defs/sample the others.
func Schema(name string) []byte {
	text, err := files.ReadFile(name + ".schema.json")
	if err != nil {
		return nil
	}
	return text
}

// A schema is one (sub)schema. The fields are the whole of the JSON Schema that our files may use: parseSchema
// refuses other keywords, since one that the validator overlooks is a check that nobody makes.
type schema struct {
	// For people; the validator passes over them.
	Dialect     string `json:"$schema"`
	Title       string `json:"title"`
	Description string `json:"description"`

	// Type is object, array, string, integer, number or boolean.
	Type                 string             `json:"type"`
	Properties           map[string]*schema `json:"properties"`
	Required             []string           `json:"required"`
	AdditionalProperties *bool              `json:"additionalProperties"`
	Items                *schema            `json:"items"`
	// Enum and Const only ever hold strings here.
	Enum    []string `json:"enum"`
	Const   *string  `json:"const"`
	Pattern string   `json:"pattern"`
	Minimum *float64 `json:"minimum"`
	Maximum *float64 `json:"maximum"`
	// Ref is "#/$defs/NAME". Keywords beside it count as well, as they do since draft 2019-09.
	Ref  string             `json:"$ref"`
	Defs map[string]*schema `json:"$defs"`

	pattern  *regexp.Regexp // Pattern, compiled
	ref      *schema        // what Ref leads to
	onlyRef  bool           // there is nothing to check beside it
	bit      uint64         // which of its parent's properties it is
	required uint64         // those of Required
}

// schemaOf returns the parsed schema of a document. Only what is asked for is parsed: a program reads and writes few kinds of documents.
func schemaOf(name string) *schema { return parsed[name]() }

// kinds are the documents that there are.
var kinds = []string{TraceName, InvariantsName, WarningsName, CrashesName, PanicName, ModelsName, RecordingName, ChangesName}

var parsed = func() map[string]func() *schema {
	schemas := map[string]func() *schema{}
	for _, name := range kinds {
		schemas[name] = sync.OnceValue(func() *schema {
			s, err := parseSchema(Schema(name))
			if err != nil {
				panic(fmt.Sprintf("schemas: %s.schema.json: %v", name, err)) // the file is part of the program
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

// link compiles the patterns and follows the references in s and below.
func (s *schema) link(root *schema) (err error) {
	if s.Pattern != "" {
		if s.pattern, err = regexp.Compile(s.Pattern); err != nil {
			return err
		}
	}
	if s.Ref != "" {
		name, local := strings.CutPrefix(s.Ref, "#/$defs/")
		if s.ref = root.Defs[name]; !local || s.ref == nil {
			return fmt.Errorf("$ref %q leads nowhere", s.Ref)
		}
		s.onlyRef = s.Type == "" && s.Properties == nil && s.Required == nil && s.AdditionalProperties == nil && s.Items == nil &&
			s.Enum == nil && s.Const == nil && s.Pattern == "" && s.Minimum == nil && s.Maximum == nil
	}
	if len(s.Properties) > 64 {
		return fmt.Errorf("%d properties: there may be 64", len(s.Properties))
	}
	next := uint64(1)
	for _, p := range s.Properties {
		p.bit, next = next, next<<1
	}
	for _, key := range s.Required {
		p := s.Properties[key]
		if p == nil {
			return fmt.Errorf("%q is required and no property", key)
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
