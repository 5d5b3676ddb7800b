//go:build ignore

package regexp

import (
	"regexp"

	"dsd"
)

func MustCompile(str string) *regexp.Regexp { return new(regexp.Regexp) }
func Compile(expr string) (*regexp.Regexp, error) {
	if dsd.Any[bool]() {
		return new(regexp.Regexp), nil
	}
	err := dsd.Any[error]()
	dsd.Assume(err != nil)
	return nil, err
}
