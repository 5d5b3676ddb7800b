//go:build ignore

package filepath

import "dsd"

// cleaned returns any path that Clean may return: it is not empty, does not end in a slash unless it
// is one, and begins with a slash if and only if rooted is set.
func cleaned(max int, rooted bool) string {
	s := dsd.Any[string]()
	dsd.Assume(1 <= len(s) && len(s) <= max)
	dsd.Assume((s[0] == '/') == rooted)
	dsd.Assume(len(s) == 1 || s[len(s)-1] != '/')
	return s
}

func Clean(path string) string {
	if path == "" {
		return "."
	}
	return cleaned(len(path), path[0] == '/')
}
func Join(elem ...string) string {
	if len(elem) == 0 {
		return ""
	}
	s := dsd.Any[string]()
	dsd.Assume(len(s) <= 1 || s[len(s)-1] != '/')
	return s
}
func Base(path string) string {
	if path == "" {
		return "."
	}
	s := dsd.Any[string]()
	dsd.Assume(1 <= len(s) && len(s) <= len(path))
	dsd.Assume(s[0] != '/' || len(s) == 1)
	return s
}
func Dir(path string) string {
	if path == "" {
		return "."
	}
	return cleaned(len(path), path[0] == '/')
}
func Ext(path string) string {
	for i := len(path) - 1; i >= 0 && path[i] != '/'; i-- {
		if path[i] == '.' {
			return path[i:]
		}
	}
	return ""
}
func IsAbs(path string) bool { return len(path) > 0 && path[0] == '/' }
func Split(path string) (dir, file string) {
	i := dsd.Any[int]()
	dsd.Assume(0 <= i && i <= len(path))
	dsd.Assume(i == 0 || path[i-1] == '/')
	return path[:i], path[i:]
}
func SplitList(path string) []string {
	if path == "" {
		return []string{}
	}
	list := dsd.Any[[]string]()
	dsd.Assume(1 <= len(list) && len(list) <= len(path)+1)
	return list
}
