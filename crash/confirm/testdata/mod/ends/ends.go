// Package ends is that of a program which ends before anything else of it runs.
package ends

import "os"

func init() { os.Exit(1) }

func First(l []int) int { return l[0] }
