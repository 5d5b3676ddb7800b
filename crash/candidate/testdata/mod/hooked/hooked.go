// Package hooked needs the init functions of other packages.
package hooked

import (
	"executed/hook"
	_ "executed/once"
	_ "executed/plugin"
)

// Hooked needs what another package's init function sets.
func Hooked() int { return hook.Call() }
