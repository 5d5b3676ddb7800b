package stack

import (
	"regexp"
	"strconv"
	"strings"

	"dsd/schemas"
)

// Value is something that a panic's message says of the values that led to it.
type Value struct {
	// Name says what the value is of: index, length, capacity, low, high, max, dynamic (a type), interface, wanted, method, offset.
	Name string
	// Text is a number, or a type as the runtime prints it.
	Text string
}

// shapes are the forms of messages that hold values; the names are those of the groups.
var shapes = []*regexp.Regexp{
	regexp.MustCompile(`index out of range \[(?P<index>-?\d+)\](?: with length (?P<length>\d+))?`),
	regexp.MustCompile(`slice bounds out of range \[:(?P<high>-?\d+)\](?: with (?:length (?P<length>\d+)|capacity (?P<capacity>\d+)))?`),
	regexp.MustCompile(`slice bounds out of range \[(?P<low>-?\d+):(?P<high>-?\d*)\]`),
	regexp.MustCompile(`slice bounds out of range \[::(?P<max>-?\d+)\](?: with (?:length (?P<length>\d+)|capacity (?P<capacity>\d+)))?`),
	regexp.MustCompile(`slice bounds out of range \[:(?P<high>-?\d+):(?P<max>-?\d*)\]`),
	regexp.MustCompile(`slice bounds out of range \[(?P<low>-?\d+):(?P<high>-?\d*):\]`),
	regexp.MustCompile(`cannot convert slice with length (?P<length>\d+) to array or pointer to array with length (?P<wanted>\d+)`),
	regexp.MustCompile(`^interface conversion: (?P<dynamic>.+) is not (?P<wanted>.+): missing method (?P<method>\S+)`),
	regexp.MustCompile(`^interface conversion: interface is (?P<dynamic>nil), not (?P<wanted>.+)`),
	regexp.MustCompile(`^interface conversion: (?P<interface>.+) is (?P<dynamic>.+), not (?P<wanted>.+?)(?: \(types from different .*)?$`),
	regexp.MustCompile(`^(?:runtime error: )?(?:hash of unhashable|comparing uncomparable) type (?P<dynamic>.+)`),
}

// Values are the values that the message holds, in its order; of a nil dereference the offset of the field.
func (p *Panic) Values() []Value {
	for _, re := range shapes {
		m := re.FindStringSubmatch(p.Message)
		if m == nil {
			continue
		}
		var out []Value
		for i, name := range re.SubexpNames() {
			if name != "" && m[i] != "" {
				out = append(out, Value{name, m[i]})
			}
		}
		return out
	}
	if p.Kind == schemas.NilDeref && p.Addr != "" {
		if n, err := strconv.ParseUint(p.Addr, 0, 64); err == nil && n < 4096 {
			return []Value{{"offset", strconv.FormatUint(n, 10)}}
		}
	}
	return nil
}

// Word is a word of a frame's arguments, or several that belong to one value.
type Word struct {
	// Known says that the word is printed, and Sure that it was when the frame ran, not maybe overwritten since.
	Known, Sure bool
	Value       uint64
	// Parts are those of a string, slice, interface, struct or array, nil for one word.
	Parts []Word
	// More says that the rest of the words, or of the parts around, is not printed.
	More bool
}

// Words reads the arguments of a frame: {0x4ec084, 0x29}, 0xc00001c0a8?, _, ... An inlined call has none.
func Words(args string) []Word {
	r := &words{text: args}
	return r.list(0)
}

// words reads arguments; what it does not understand becomes a word that is not known.
type words struct {
	text string
	pos  int
}

// maxDepth is how deep parts may lie: the runtime prints five levels.
const maxDepth = 10

func (r *words) list(depth int) []Word {
	var out []Word
	for r.pos < len(r.text) {
		switch c := r.text[r.pos]; {
		case c == '}':
			return out
		case c == '{' && depth < maxDepth:
			r.pos++
			w := Word{Known: true, Sure: true, Parts: r.list(depth + 1)}
			if w.Parts == nil {
				w.Parts = []Word{}
			}
			r.pos++ // the brace that closes
			out = append(out, w)
		case c == ',' || c == ' ' || c == '\t' || c == '{':
			r.pos++
		default:
			end := strings.IndexAny(r.text[r.pos:], ",{} \t")
			if end < 0 {
				end = len(r.text) - r.pos
			}
			out = append(out, word(r.text[r.pos:r.pos+end]))
			r.pos += end
		}
	}
	return out
}

func word(text string) Word {
	if text == "..." {
		return Word{More: true}
	}
	digits, unsure := strings.CutSuffix(text, "?")
	n, err := strconv.ParseUint(digits, 0, 64)
	if err != nil {
		return Word{}
	}
	return Word{Known: true, Sure: !unsure, Value: n}
}
