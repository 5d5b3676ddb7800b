package text

import (
	"fmt"
	"strconv"
	"strings"
)

// units are the units of sizes, in bytes.
var units = []struct {
	name string
	size int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}}

// Size writes a number of bytes: 1.5 GiB.
func Size(bytes int64) string {
	for _, u := range units {
		if bytes >= u.size {
			return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(bytes)/float64(u.size)), ".0") + " " + u.name
		}
	}
	return "0 B"
}

// ParseSize reads a number of bytes: 2GiB, 1.5 GiB, 500M, 1g. All units are powers of 1024, as memory is
// counted.
func ParseSize(s string) (int64, error) {
	number := strings.TrimRight(s, "KMGTIBkmgtib ")
	unit := strings.ToUpper(strings.TrimSpace(s[len(number):]))
	shift := map[string]int{"": 0, "B": 0, "K": 10, "KB": 10, "KIB": 10, "M": 20, "MB": 20, "MIB": 20, "G": 30, "GB": 30,
		"GIB": 30, "T": 40, "TB": 40, "TIB": 40}
	n, err := strconv.ParseFloat(number, 64)
	by, ok := shift[unit]
	if size := n * float64(int64(1)<<by); err == nil && ok && size >= 0 && size < 1<<62 {
		return int64(size), nil
	}
	return 0, fmt.Errorf("%q: want a size, such as 2GiB or 500M", s)
}
