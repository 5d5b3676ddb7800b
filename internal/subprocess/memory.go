package subprocess

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Resident returns the memory that a process uses, in bytes; 0 if that is not known, as on systems without
// /proc.
func Resident(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize())
}
