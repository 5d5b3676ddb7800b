package ir

import "strings"

// An Origin says where the commands of a function come from.
type Origin uint8

const (
	// FromSource is a function or function literal of the testee or its dependencies.
	FromSource Origin = iota
	// FromModel is a model of a function of the standard library. A panic in it is reported at
	// the call.
	FromModel
	// FromWrapper is a function that the lowering adds: method values, methods called through
	// interfaces, deferred calls, initializers. It has no position of its own.
	FromWrapper
)

// ModelPrefix begins the names of models. The names of wrappers begin with other words in angle
// brackets. No name in Go begins so.
const ModelPrefix = "<model>"

// OriginOf returns the origin of the function with that name or key.
func OriginOf(key string) Origin {
	switch {
	case strings.HasPrefix(key, ModelPrefix):
		return FromModel
	case strings.HasPrefix(key, "<"):
		return FromWrapper
	}
	return FromSource
}
