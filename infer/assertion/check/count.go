package check

import "expvar"

func init() {
	m := expvar.NewMap("dsd")
	counted = func(id string) { m.Add(id, 1) }
}
