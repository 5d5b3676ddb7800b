//go:build ignore

package strconv

import "dsd"

// failed returns any error that is not nil.
func failed() error {
	err := dsd.Any[error]()
	dsd.Assume(err != nil)
	return err
}

// digit reports whether s begins like a decimal number.
func digit(s string) bool {
	return len(s) > 0 && ('0' <= s[0] && s[0] <= '9' || len(s) > 1 && (s[0] == '-' || s[0] == '+'))
}
func Atoi(s string) (int, error) {
	if !digit(s) {
		return 0, failed()
	}
	if len(s) == 1 {
		return int(s[0] - '0'), nil
	}
	n, err := dsd.Any[int](), dsd.Any[error]()
	if s[0] == '-' {
		dsd.Assume(n <= 0)
	} else {
		dsd.Assume(n >= 0)
	}
	return n, err
}
func ParseInt(s string, base int, bitSize int) (int64, error) {
	if len(s) == 0 {
		return 0, failed()
	}
	n, err := dsd.Any[int64](), dsd.Any[error]()
	if bitSize == 32 {
		dsd.Assume(n == int64(int32(n)))
	} else if bitSize == 16 {
		dsd.Assume(n == int64(int16(n)))
	} else if bitSize == 8 {
		dsd.Assume(n == int64(int8(n)))
	}
	if base == 10 && len(s) == 1 && '0' <= s[0] && s[0] <= '9' {
		return int64(s[0] - '0'), nil
	}
	return n, err
}
func ParseUint(s string, base int, bitSize int) (uint64, error) {
	if len(s) == 0 {
		return 0, failed()
	}
	n, err := dsd.Any[uint64](), dsd.Any[error]()
	if bitSize == 32 {
		dsd.Assume(n == uint64(uint32(n)))
	} else if bitSize == 16 {
		dsd.Assume(n == uint64(uint16(n)))
	} else if bitSize == 8 {
		dsd.Assume(n == uint64(uint8(n)))
	}
	return n, err
}
func ParseFloat(s string, bitSize int) (float64, error) {
	if len(s) == 0 {
		return 0, failed()
	}
	return dsd.Any[float64](), dsd.Any[error]()
}
func ParseBool(s string) (bool, error) {
	switch s {
	case "1", "t", "T", "true", "TRUE", "True":
		return true, nil
	case "0", "f", "F", "false", "FALSE", "False":
		return false, nil
	}
	return false, failed()
}

// text returns any string of at least min bytes.
func text(min int) string {
	s := dsd.Any[string]()
	dsd.Assume(min <= len(s))
	return s
}
func Itoa(i int) string {
	if 0 <= i && i < 10 {
		return string([]byte{'0' + byte(i)})
	}
	s := dsd.Any[string]()
	dsd.Assume(2 <= len(s) && len(s) <= 20 && (i < 0) == (s[0] == '-'))
	return s
}
func FormatInt(i int64, base int) string {
	if base < 2 || base > 36 {
		panic("strconv: illegal AppendInt/FormatInt base")
	}
	s := dsd.Any[string]()
	dsd.Assume(1 <= len(s) && len(s) <= 65)
	return s
}
func FormatUint(i uint64, base int) string {
	if base < 2 || base > 36 {
		panic("strconv: illegal AppendInt/FormatInt base")
	}
	s := dsd.Any[string]()
	dsd.Assume(1 <= len(s) && len(s) <= 64)
	return s
}
func FormatFloat(f float64, fmt byte, prec, bitSize int) string {
	if bitSize != 32 && bitSize != 64 {
		panic("strconv: illegal AppendFloat/FormatFloat bitSize")
	}
	return text(1)
}
func FormatBool(b bool) string {
	if b {
		return "true"
	}
	return "false"
}
func Quote(s string) string {
	q := text(2)
	dsd.Assume(len(q) >= len(s) && q[0] == '"' && q[len(q)-1] == '"')
	return q
}

// longer returns any slice that is longer than dst.
func longer(dst []byte) []byte {
	out := dsd.Any[[]byte]()
	dsd.Assume(out != nil && len(out) > len(dst))
	return out
}
func AppendInt(dst []byte, i int64, base int) []byte                        { return longer(dst) }
func AppendUint(dst []byte, i uint64, base int) []byte                      { return longer(dst) }
func AppendFloat(dst []byte, f float64, fmt byte, prec, bitSize int) []byte { return longer(dst) }
func AppendBool(dst []byte, b bool) []byte                                  { return longer(dst) }
func AppendQuote(dst []byte, s string) []byte                               { return longer(dst) }
func Unquote(s string) (string, error) {
	if len(s) < 2 || s[0] != s[len(s)-1] {
		return "", failed()
	}
	return dsd.Any[string](), dsd.Any[error]()
}
