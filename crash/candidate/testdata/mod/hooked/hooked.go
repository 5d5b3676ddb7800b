// Package hooked needs the init functions of other packages.
package hooked

import (
	"executed/hook"
	_ "executed/once"
	_ "executed/plugin"
)

// Hooked needs what another package's init function sets.
func Hooked() int { return hook.Call() }

// number is registered by its initializer.
var number = hook.Register("hooked")

// Named needs what the initializer of number did in another package.
func Named() {
	if hook.Name(number) != "hooked" {
		panic("asked before")
	}
}
