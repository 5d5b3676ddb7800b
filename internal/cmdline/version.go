package cmdline

import (
	"runtime"
	"runtime/debug"
)

// Version is the version of the three commands. CHANGELOG.md has a section for it.
const Version = "0.1.0"

// version returns Version, the revision that was built as the go command names it, and the version
// of Go that built it.
func version() string {
	revision, goVersion := "(unknown)", runtime.Version()
	if info, ok := debug.ReadBuildInfo(); ok {
		revision, goVersion = info.Main.Version, info.GoVersion
	}
	return Version + " " + revision + " " + goVersion
}
