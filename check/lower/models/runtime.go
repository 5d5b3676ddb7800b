//go:build ignore

package runtime

import (
	"runtime"

	"dsd"
)

func Callers(skip int, pc []uintptr) int {
	n := dsd.Any[int]()
	dsd.Assume(0 <= n && n <= len(pc))
	return n
}
func CallersFrames(callers []uintptr) *runtime.Frames { return new(runtime.Frames) }
func FuncForPC(pc uintptr) *runtime.Func              { return dsd.Any[*runtime.Func]() }
func NumGoroutine() int {
	n := dsd.Any[int]()
	dsd.Assume(n >= 1)
	return n
}
func GOMAXPROCS(int) int { return NumGoroutine() }
func NumCPU() int        { return NumGoroutine() }
