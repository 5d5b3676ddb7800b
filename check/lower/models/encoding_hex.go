//go:build ignore

package hex

import "dsd"

func EncodedLen(n int) int { return n * 2 }
func DecodedLen(x int) int { return x / 2 }
func EncodeToString(src []byte) string {
	s := dsd.Any[string]()
	dsd.Assume(len(s) == 2*len(src))
	return s
}
func DecodeString(s string) ([]byte, error) {
	if dsd.Any[bool]() {
		b := dsd.Any[[]byte]()
		dsd.Assume(len(s)%2 == 0 && len(b) == len(s)/2)
		return b, nil
	}
	b := dsd.Any[[]byte]()
	err := dsd.Any[error]()
	dsd.Assume(err != nil && len(b) <= len(s)/2)
	return b, err
}
