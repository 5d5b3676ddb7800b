// Package once cannot be initialized twice.
package once

import (
	"flag"

	"executed/hook"
)

func init() {
	flag.Bool("once", false, "")
	hook.Set(func() int { return 2 })
}
