package check

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/bits"
	"math/rand"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// modeled are functions that have models, by their names in Go.
var modeled = map[string]any{
	"binary.BigEndian.Uint16": binary.BigEndian.Uint16, "binary.BigEndian.Uint32": binary.BigEndian.Uint32,
	"binary.BigEndian.Uint64":    binary.BigEndian.Uint64,
	"binary.LittleEndian.Uint16": binary.LittleEndian.Uint16,
	"binary.LittleEndian.Uint32": binary.LittleEndian.Uint32,
	"binary.LittleEndian.Uint64": binary.LittleEndian.Uint64,
	"bits.Add64":                 bits.Add64, "bits.Sub64": bits.Sub64, "bits.Mul64": bits.Mul64,
	"bits.Reverse8": bits.Reverse8, "bits.RotateLeft8": bits.RotateLeft8,
	"bits.RotateLeft32": bits.RotateLeft32, "bits.RotateLeft64": bits.RotateLeft64,
	"bits.Len64": bits.Len64, "bits.TrailingZeros64": bits.TrailingZeros64,
	"bits.OnesCount64": bits.OnesCount64,
	"bytes.Contains":   bytes.Contains, "bytes.IndexByte": bytes.IndexByte, "bytes.Equal": bytes.Equal,
	"filepath.Base": filepath.Base, "filepath.Clean": filepath.Clean, "filepath.Dir": filepath.Dir,
	"filepath.Ext": filepath.Ext, "filepath.IsAbs": filepath.IsAbs, "filepath.Split": filepath.Split,
	"filepath.SplitList": filepath.SplitList,
	"hex.DecodedLen":     hex.DecodedLen, "hex.EncodedLen": hex.EncodedLen,
	"hex.EncodeToString": hex.EncodeToString, "hex.DecodeString": hex.DecodeString,
	"path.Base": path.Base, "path.Clean": path.Clean, "path.Dir": path.Dir, "path.Ext": path.Ext,
	"path.IsAbs": path.IsAbs, "path.Split": path.Split, "path.Join": path.Join,
	"regexp.QuoteMeta": regexp.QuoteMeta,
	"re.FindString":    re.FindString, "re.FindStringIndex": re.FindStringIndex,
	"re.FindStringSubmatch":      re.FindStringSubmatch,
	"re.FindStringSubmatchIndex": re.FindStringSubmatchIndex,
	"re.FindIndex":               re.FindIndex, "re.FindSubmatchIndex": re.FindSubmatchIndex,
	"re.Split": re.Split, "re.NumSubexp": re.NumSubexp,
	"strconv.Atoi": strconv.Atoi, "strconv.Itoa": strconv.Itoa, "strconv.Quote": strconv.Quote,
	"strconv.ParseInt": strconv.ParseInt, "strconv.FormatInt": strconv.FormatInt,
	"strconv.Unquote": strconv.Unquote, "strconv.ParseBool": strconv.ParseBool,
	"strings.Index": strings.Index, "strings.IndexByte": strings.IndexByte,
	"strings.IndexAny": strings.IndexAny, "strings.LastIndex": strings.LastIndex,
	"strings.Split": strings.Split, "strings.SplitN": strings.SplitN, "strings.Fields": strings.Fields,
	"strings.TrimSpace": strings.TrimSpace, "strings.Trim": strings.Trim,
	"strings.TrimLeft": strings.TrimLeft, "strings.TrimRight": strings.TrimRight,
	"strings.Count": strings.Count, "strings.Cut": strings.Cut, "strings.Replace": strings.Replace,
	"strings.Repeat": strings.Repeat, "strings.ToUpper": strings.ToUpper, "strings.Join": strings.Join,
	"strings.EqualFold": strings.EqualFold, "strings.Compare": strings.Compare,
	"unicode.IsUpper": unicode.IsUpper, "unicode.IsDigit": unicode.IsDigit,
	"unicode.ToLower":   unicode.ToLower,
	"utf16.IsSurrogate": utf16.IsSurrogate, "utf16.DecodeRune": utf16.DecodeRune,
	"utf16.EncodeRune":            utf16.EncodeRune,
	"utf8.RuneCountInString":      utf8.RuneCountInString,
	"utf8.DecodeRuneInString":     utf8.DecodeRuneInString,
	"utf8.RuneLen":                utf8.RuneLen,
	"utf8.ValidString":            utf8.ValidString,
	"utf8.DecodeLastRuneInString": utf8.DecodeLastRuneInString,
}

// re has two groups, which need not match.
var re = regexp.MustCompile(`(a)?/(b)?`)

// modelWords are what random strings are made of.
var modelWords = []string{"", "a", "/", ".", "..", "b", "a/b", "//", "1", "-7", " ", "é", "\xff", "x:y", "10"}

// drawValue draws a value of a type.
func drawValue(r *rand.Rand, t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.String:
		text := ""
		for range r.Intn(3) {
			text += modelWords[r.Intn(len(modelWords))]
		}
		v.SetString(text)
	case reflect.Bool:
		v.SetBool(r.Intn(2) == 0)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			text := make([]byte, 8+r.Intn(3)) // enough for every function
			r.Read(text)
			v.SetBytes(text)
			break
		}
		for range r.Intn(3) {
			v.Set(reflect.Append(v, drawValue(r, t.Elem())))
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt([]int64{0, 1, 2, 7, 10, 65, 0x61, 0xd801, 0xdc02}[r.Intn(9)])
	default:
		v.SetUint([]uint64{0, 1, 2, 8, 64, 255, 1 << 63, 1<<64 - 1}[r.Intn(8)])
	}
	return v
}

// isResult returns the condition that the variable name holds a value.
func isResult(name string, v reflect.Value) string {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return name + " == nil"
		}
		return name + " != nil"
	case reflect.Slice:
		if v.IsNil() {
			return name + " == nil"
		}
		parts := []string{name + " != nil", fmt.Sprintf("len(%s) == %d", name, v.Len())}
		for i := range v.Len() {
			parts = append(parts, isResult(fmt.Sprintf("%s[%d]", name, i), v.Index(i)))
		}
		return strings.Join(parts, " && ")
	}
	return fmt.Sprintf("%s == %s", name, literalOf(v))
}

// literalOf returns a value as a Go literal.
func literalOf(v reflect.Value) string {
	switch v.Kind() {
	case reflect.String:
		return strconv.Quote(v.String())
	case reflect.Slice:
		if v.IsNil() {
			return "nil"
		}
	}
	return fmt.Sprintf("%#v", v.Interface())
}

// TestModelsAllowRealResults calls the functions that have models with random arguments, and checks
// that the models allow what they returned: that the checker warns of a panic that needs that result.
func TestModelsAllowRealResults(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	var src strings.Builder
	src.WriteString("package m\n\nimport (\n")
	for _, p := range []string{"bytes", "encoding/binary", "encoding/hex", "math/bits", "path",
		"path/filepath", "regexp", "strconv", "strings", "unicode", "unicode/utf16", "unicode/utf8"} {
		fmt.Fprintf(&src, "\t%q\n", p)
	}
	src.WriteString(")\n\nvar re = regexp.MustCompile(`(a)?/(b)?`)\n")
	want := map[string]string{} // the calls, by the function around them
	names := make([]string, 0, len(modeled))
	for name := range modeled {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, name := range names {
		f := reflect.ValueOf(modeled[name])
		for k := range 4 {
			var args []reflect.Value
			var texts, vars, conds []string
			for j := range f.Type().NumIn() {
				if f.Type().IsVariadic() && j == f.Type().NumIn()-1 {
					for range r.Intn(3) {
						v := drawValue(r, f.Type().In(j).Elem())
						args, texts = append(args, v), append(texts, literalOf(v))
					}
					break
				}
				v := drawValue(r, f.Type().In(j))
				if strings.Contains(name, "Int") && f.Type().In(j).Kind() == reflect.Int && j > 0 {
					v.SetInt([]int64{10, 16, 64}[r.Intn(2)]) // a base or a size
				}
				args, texts = append(args, v), append(texts, literalOf(v))
			}
			for j, v := range f.Call(args) {
				vars = append(vars, fmt.Sprintf("r%d", j))
				conds = append(conds, isResult(vars[j], v))
			}
			call := name + "(" + strings.Join(texts, ", ") + ")"
			fn := fmt.Sprintf("F%d_%d", i, k)
			want["example.com/m."+fn] = call + ": " + strings.Join(conds, " && ")
			fmt.Fprintf(&src, "\nfunc %s() {\n\t%s := %s\n\tif %s {\n\t\tpanic(0)\n\t}\n}\n", fn,
				strings.Join(vars, ", "), call, strings.Join(conds, " && "))
		}
	}
	doc := runSource(t, src.String())
	for _, s := range doc.Skipped {
		t.Errorf("%s: skipped: %s", want[s.Func], s.Reason)
	}
	bounded := map[string]bool{}
	for _, b := range doc.Bounded {
		bounded[b.Func] = true
	}
	found := map[string]bool{}
	for _, w := range doc.Warnings {
		found[w.Func] = true
	}
	excluded := 0
	for fn, call := range want {
		if !found[fn] && !bounded[fn] {
			t.Errorf("the model excludes %s", call)
		}
		if !found[fn] {
			excluded++
		}
	}
	t.Logf("%d of %d results are allowed, the others out of bounds", len(want)-excluded, len(want))
}
