package blame

import (
	"go/types"
	"slices"

	"dsd/schemas"
)

// convention is what the documentation of an interface of the standard library asks of the callers
// of a method.
type convention struct {
	iface   string // as the reader knows it
	method  string
	params  []string // types of its parameters
	others  []string // methods that the type has, too
	kinds   []schemas.Kind
	nilOnly bool // the convention is about a nil receiver
	text    string
}

// conventions lists the conventions. Types implement these interfaces without naming them.
var conventions = []convention{
	{iface: "sort.Interface", method: "Less", params: []string{"int", "int"},
		others: []string{"Len", "Swap"}, kinds: indexKinds,
		text: "0 <= i, j < Len()"},
	{iface: "sort.Interface", method: "Swap", params: []string{"int", "int"},
		others: []string{"Len", "Less"}, kinds: indexKinds,
		text: "0 <= i, j < Len()"},
	{iface: "heap.Interface", method: "Pop", others: []string{"Push", "Len", "Less"},
		kinds: indexKinds, text: "Len() > 0: container/heap calls Pop"},
	{iface: "heap.Interface", method: "Push", params: []string{"any"},
		others: []string{"Pop", "Len", "Less"}, kinds: []schemas.Kind{schemas.TypeAssert},
		text: "elements of one type: container/heap calls Push"},
	{iface: "error", method: "Error", kinds: []schemas.Kind{schemas.NilDeref}, nilOnly: true,
		text: "a receiver that is not nil; fmt prints <nil> for one that is"},
	{iface: "fmt.Stringer", method: "String", kinds: []schemas.Kind{schemas.NilDeref}, nilOnly: true,
		text: "a receiver that is not nil; fmt prints <nil> for one that is"},
	{iface: "fmt.GoStringer", method: "GoString", kinds: []schemas.Kind{schemas.NilDeref},
		nilOnly: true, text: "a receiver that is not nil; fmt prints <nil> for one that is"},
	{iface: "fmt.Formatter", method: "Format", kinds: []schemas.Kind{schemas.NilDeref},
		text: "a state that is not nil: fmt calls Format"},
	{iface: "json.Marshaler", method: "MarshalJSON", kinds: []schemas.Kind{schemas.NilDeref},
		nilOnly: true, text: "a receiver that is not nil; encoding/json writes null for one that is"},
	{iface: "json.Unmarshaler", method: "UnmarshalJSON", params: []string{"[]byte"},
		kinds: []schemas.Kind{schemas.NilDeref, schemas.NilMap}, nilOnly: true,
		text: "a receiver that is not nil"},
	{iface: "encoding.TextMarshaler", method: "MarshalText", kinds: []schemas.Kind{schemas.NilDeref},
		nilOnly: true, text: "a receiver that is not nil"},
	{iface: "encoding.TextUnmarshaler", method: "UnmarshalText", params: []string{"[]byte"},
		kinds: []schemas.Kind{schemas.NilDeref}, nilOnly: true, text: "a receiver that is not nil"},
	{iface: "encoding.BinaryMarshaler", method: "MarshalBinary",
		kinds: []schemas.Kind{schemas.NilDeref}, nilOnly: true, text: "a receiver that is not nil"},
	{iface: "driver.Valuer", method: "Value", kinds: []schemas.Kind{schemas.NilDeref}, nilOnly: true,
		text: "a receiver that is not nil; database/sql writes NULL for one that is"},
	{iface: "sql.Scanner", method: "Scan", params: []string{"any"},
		kinds: []schemas.Kind{schemas.NilDeref}, nilOnly: true, text: "a receiver that is not nil"},
	{iface: "io.Reader", method: "Read", params: []string{"[]byte"},
		kinds: []schemas.Kind{schemas.NilDeref}, nilOnly: true, text: "a receiver that is not nil"},
	{iface: "io.Writer", method: "Write", params: []string{"[]byte"},
		kinds: []schemas.Kind{schemas.NilDeref}, nilOnly: true, text: "a receiver that is not nil"},
	{iface: "http.Handler", method: "ServeHTTP", kinds: []schemas.Kind{schemas.NilDeref},
		text: "a response writer and a request that are not nil"},
}

var indexKinds = []schemas.Kind{schemas.Index, schemas.SliceBounds}

// broken returns the convention that a crash's call breaks, nil if there is none. nilReceiver
// reports whether the receiver was nil.
func broken(fn *types.Func, kind schemas.Kind, nilReceiver bool) *convention {
	sig := fn.Type().(*types.Signature)
	if sig.Recv() == nil {
		return nil
	}
	for i := range conventions {
		c := &conventions[i]
		if c.method == fn.Name() && c.takes(sig) && slices.Contains(c.kinds, kind) &&
			(!c.nilOnly || nilReceiver) && c.implemented(sig.Recv().Type()) {
			return c
		}
	}
	return nil
}

// takes reports whether a signature has the parameters of the convention's method.
func (c *convention) takes(sig *types.Signature) bool {
	if c.params == nil {
		return len(c.others) == 0 || sig.Params().Len() == 0
	}
	if sig.Params().Len() != len(c.params) {
		return false
	}
	for i, want := range c.params {
		t := sig.Params().At(i).Type()
		if i, ok := t.Underlying().(*types.Interface); ok && i.Empty() && want == "any" {
			continue
		}
		if t.String() != want {
			return false
		}
	}
	return true
}

// implemented reports whether a type has the other methods of the interface.
func (c *convention) implemented(t types.Type) bool {
	for _, name := range c.others {
		if obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name); obj == nil {
			return false
		}
	}
	return true
}
