// Package plugin sets a variable of another package, and has no variables.
package plugin

import "executed/hook"

func init() { hook.Set(func() int { return 1 }) }
