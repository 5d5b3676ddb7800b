//go:build ignore

package json

import (
	"dsd"
)

// marshaled returns an error, or a text that is not empty.
func marshaled() ([]byte, error) {
	text, err := dsd.Any[[]byte](), dsd.Any[error]()
	dsd.Assume((err == nil) == (len(text) > 0) && (err == nil || text == nil))
	return text, err
}
func Marshal(v any) ([]byte, error)                              { return marshaled() }
func MarshalIndent(v any, prefix, indent string) ([]byte, error) { return marshaled() }
