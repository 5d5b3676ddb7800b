package symbol

import (
	"fmt"
	"strconv"
	"strings"
)

// escape escapes an import path as the linker does in symbol names
// (cmd/internal/objabi.PathToPrefix): control characters, spaces, %, " and bytes beyond ASCII
// everywhere, dots in the last element.
func escape(path string) string {
	slash := strings.LastIndexByte(path, '/')
	var out strings.Builder
	for i := range len(path) {
		if c := path[i]; c <= ' ' || c == '.' && i > slash || c == '%' || c == '"' || c >= 0x7f {
			fmt.Fprintf(&out, "%%%02x", c)
		} else {
			out.WriteByte(c)
		}
	}
	return out.String()
}

// unescape is the inverse of escape. It leaves a percent sign alone that begins no escape.
func unescape(path string) string {
	if strings.IndexByte(path, '%') < 0 {
		return path
	}
	var out strings.Builder
	for i := 0; i < len(path); i++ {
		if path[i] == '%' && i+2 < len(path) {
			if b, err := strconv.ParseUint(path[i+1:i+3], 16, 8); err == nil {
				out.WriteByte(byte(b))
				i += 2
				continue
			}
		}
		out.WriteByte(path[i])
	}
	return out.String()
}

// MayBeStandard reports whether an import path may be one of the standard library: its first
// element has no dot. Modules may have such paths, too; main is the package of a program.
func MayBeStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return path != "main" && !strings.Contains(first, ".")
}
