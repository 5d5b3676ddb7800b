//go:build ignore

package reflect

import (
	"reflect"

	"dsd"
)

func TypeOf(i any) reflect.Type {
	t := dsd.Any[reflect.Type]()
	dsd.Assume((t == nil) == (i == nil))
	return t
}
