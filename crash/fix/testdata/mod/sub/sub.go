// Package sub imports what makes errors.
package sub

import (
	"fmt"
)

// First names its results.
func First(text string) (first byte, err error) {
	if text == "#" {
		return 0, fmt.Errorf("comment %q", text)
	}
	return text[0], nil
}
