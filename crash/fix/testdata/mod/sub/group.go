package sub

import (
	"sort"
	"strings"
)

// Group imports a group.
func Group(text string) (int, error) {
	list := strings.Fields(text)
	sort.Strings(list)
	return len(list[0]), nil
}
