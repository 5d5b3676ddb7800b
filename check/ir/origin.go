package ir

import "strings"

// Origin says where the commands of a function come from.
type Origin uint8

const (
	// FromSource is a function or function literal of the testee or its dependencies.
	FromSource Origin = iota
	// FromModel is a model of a function of the standard library. A panic inside it happens, for a
	// user, where it is called.
	FromModel
	// FromWrapper is a function that the lowering makes: deferred calls, method values, initialisers.
	// It has no position of its own.
	FromWrapper
)

// ModelPrefix begins the keys of models. Keys of wrappers begin with other words in angle brackets,
// which no name of Go has.
const ModelPrefix = "<model>"

// OriginOf returns the origin of the function named key.
func OriginOf(key string) Origin {
	switch {
	case strings.HasPrefix(key, ModelPrefix):
		return FromModel
	case strings.HasPrefix(key, "<"):
		return FromWrapper
	}
	return FromSource
}
