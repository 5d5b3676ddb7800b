package stack

import (
	"strconv"
	"strings"

	"dsd/schemas"
)

// Value is a value in a panic's message.
type Value struct {
	// Name is index, length, capacity, low, high, max, dynamic (a type), interface, wanted,
	// method or offset.
	Name string
	// Text is a number, or a type as the runtime prints it.
	Text string
}

// beyond matches the end of the message of a slice whose bound exceeds its length or capacity.
const beyond = `(?: with (?:length (?P<length>\d+)|capacity (?P<capacity>\d+)))?`

// valuePatterns match the messages that hold values. The names of their groups are those of the
// values.
var valuePatterns = []*pattern{
	newPattern(`index out of range \[(?P<index>-?\d+)\](?: with length (?P<length>\d+))?`),
	newPattern(`slice bounds out of range \[:(?P<high>-?\d+)\]` + beyond),
	newPattern(`slice bounds out of range \[(?P<low>-?\d+):(?P<high>-?\d*)\]`),
	newPattern(`slice bounds out of range \[::(?P<max>-?\d+)\]` + beyond),
	newPattern(`slice bounds out of range \[:(?P<high>-?\d+):(?P<max>-?\d*)\]`),
	newPattern(`slice bounds out of range \[(?P<low>-?\d+):(?P<high>-?\d*):\]`),
	newPattern(`cannot convert slice with length (?P<length>\d+) ` +
		`to array or pointer to array with length (?P<wanted>\d+)`),
	newPattern(`^interface conversion: (?P<dynamic>.+) is not (?P<wanted>.+): ` +
		`missing method (?P<method>\S+)`),
	newPattern(`^interface conversion: interface is (?P<dynamic>nil), not (?P<wanted>.+)`),
	newPattern(`^interface conversion: (?P<interface>.+) is (?P<dynamic>.+), ` +
		`not (?P<wanted>.+?)(?: \(types from different .*)?$`),
	newPattern(`^(?:runtime error: )?(?:hash of unhashable|comparing uncomparable) ` +
		`type (?P<dynamic>.+)`),
}

// Values returns the values in the message, in its order. For a nil dereference it returns the
// offset of the field, which is the address of the access.
func (p *Panic) Values() []Value {
	if out := valuesIn(p.Message); out != nil {
		return out
	}
	if p.Kind == schemas.NilDeref && p.Addr != "" {
		if n, err := strconv.ParseUint(p.Addr, 0, 64); err == nil && n < nilPage {
			return []Value{{"offset", strconv.FormatUint(n, 10)}}
		}
	}
	return nil
}

// valuesIn returns the values in a message, nil if it is none of those that have values.
func valuesIn(message string) []Value {
	for _, re := range valuePatterns {
		m := re.FindStringSubmatch(message)
		if m == nil {
			continue
		}
		out := []Value{}
		for i, name := range re.SubexpNames() {
			if name != "" && m[i] != "" {
				out = append(out, Value{name, m[i]})
			}
		}
		return out
	}
	return nil
}

// nilPage is the size of the page at address 0: the runtime reports accesses in it as nil
// dereferences.
const nilPage = 4096

// Word is a word of a frame's arguments, or a group of words that belong to one value.
type Word struct {
	// Known reports whether the word is printed, and Sure whether it has the value of the call:
	// the runtime marks words with "?" that may have been overwritten since.
	Known, Sure bool
	// Value is the word's value if it is Known and has no Parts.
	Value uint64
	// Parts are the words of a string, slice, interface, struct or array; nil for a single
	// word.
	Parts []Word
	// More stands for the rest of the words or parts, which is not printed.
	More bool
}

// Words parses the arguments of a frame: {0x4ec084, 0x29}, 0xc00001c0a8?, _, ... For an inlined
// call, whose arguments are not printed, it returns one Word with More set.
func Words(args string) []Word {
	r := &wordParser{text: args}
	return r.list(0)
}

// wordParser holds the text of arguments and the position in it.
type wordParser struct {
	text string
	pos  int
}

// maxDepth is the depth to which groups may nest. The runtime prints five levels; braces beyond
// this depth are skipped.
const maxDepth = 10

// list parses words up to the closing brace of the group, or to the end. Texts that are no words
// become words that are not Known.
func (r *wordParser) list(depth int) []Word {
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
			r.pos++ // the closing brace
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

// word parses one word.
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
