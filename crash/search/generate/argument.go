package generate

import (
	"go/types"
	"strings"

	"dsd/crash/candidate"
	"dsd/crash/candidate/run"
	"dsd/crash/search/constants"
	"dsd/crash/search/paramgraph"
	"dsd/crash/search/program"
	"dsd/internal/stacktrace"
)

// argument adds what makes an argument of an operation and returns its number. With certain
// probabilities, the argument is a value that fits its hint, one that it usually has, or a result
// that exists. Otherwise any value is drawn.
func (s *Sampler) argument(b *program.Builder, op, i int, n *paramgraph.Node, depth int) int {
	if hints := s.Hints[op]; i < len(hints) && s.Rand.Intn(2) == 0 {
		if r := s.hinted(b, hints[i], n, depth); r >= 0 {
			return r
		}
	}
	if usual := s.Graph.Usual[op][i]; len(usual) > 0 && s.Rand.Intn(2) == 0 {
		for _, p := range n.Producers {
			if s.Graph.Table[p.Op].Lit {
				v := usual[s.Rand.Intn(len(usual))]
				if s.Rand.Intn(4) == 0 {
					v = s.mutateValue(v, n)
				}
				return b.Add(candidate.Stmt{Op: p.Op, Bits: v.Bits, Text: v.Text})
			}
		}
	}
	if len(b.Program) > 0 && s.Rand.Intn(8) == 0 {
		if r := s.Reuse(b.Program, n); r >= 0 {
			return r
		}
	}
	return s.pickValue(b, n, depth, i == 0 && s.Graph.Table[op].OnFirst)
}

// maxHintedElems is the length of the longest slice that is made for a hint.
const maxHintedElems = 64

// hinted adds what makes a value that fits a hint and returns its number, -1 if no operation makes
// one.
func (s *Sampler) hinted(
	b *program.Builder, h stacktrace.Argument, n *paramgraph.Node, depth int,
) int {
	if r := s.hintedBytes(b, h, n, depth); r >= 0 {
		return r
	}
	for _, p := range n.Producers {
		o := s.Graph.Table[p.Op]
		switch {
		case o.Lit && h.Known:
			return b.Add(candidate.Stmt{Op: p.Op, Bits: h.Bits})

		case o.Lit && h.Length >= 0:
			return b.Add(candidate.Stmt{Op: p.Op, Text: s.textOf(n, h.Length)})

		case h.Nil && o.Nil:
			return b.Add(candidate.Stmt{Op: p.Op})

		case o.Variadic && h.Length >= 0 && h.Length <= maxHintedElems && n.MinDepth > 0:
			elem := s.Graph.In[p.Op][0]
			if elem.MinDepth == 0 || elem.MinDepth > depth {
				return -1
			}
			var args []int
			for range h.Length {
				args = append(args, s.Value(b, elem, depth))
			}
			return b.Add(candidate.Stmt{Op: p.Op, Args: args})
		}
	}
	if h.Set && n.MinDepth <= depth {
		return s.pickValue(b, n, depth, true)
	}
	return -1
}

// textOf draws literals of a type of strings until they are so many bytes together; as most of them may be empty, the text is
// filled up in the end.
func (s *Sampler) textOf(n *paramgraph.Node, length int) string {
	text := s.literal(n).Text
	for tries := 0; len(text) < length; tries++ {
		if tries == maxHintedElems {
			text += strings.Repeat("a", length-len(text))
			break
		}
		text += s.literal(n).Text
	}
	return text[:length]
}

// hintedBytes is hinted for a slice of bytes, which it makes of a text: unlike a list of bytes, that is mutated as such.
func (s *Sampler) hintedBytes(b *program.Builder, h stacktrace.Argument, n *paramgraph.Node, depth int) int {
	if h.Nil || h.Length < 0 || depth < 2 {
		return -1
	}
	for _, p := range n.Producers {
		if o := s.Graph.Table[p.Op]; o.Func != nil || p.Out != 0 || len(o.In) != 1 || !isText(o.In[0]) || !isBytes(o.Out[0]) {
			continue
		}
		if r := s.hinted(b, h, s.Graph.In[p.Op][0], depth-1); r >= 0 {
			return b.Add(candidate.Stmt{Op: p.Op, Args: []int{r}})
		}
	}
	return -1
}

// isText reports whether a type is one of strings.
func isText(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// isBytes reports whether a type is one of slices of bytes.
func isBytes(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && types.Identical(s.Elem(), types.Typ[types.Byte])
}

// literal draws a value of a basic type: one of its values, a corner case, or a mutation of one.
func (s *Sampler) literal(n *paramgraph.Node) constants.Value {
	list := n.Values
	if s.Rand.Intn(16) == 0 {
		switch info := n.Type.Underlying().(*types.Basic).Info(); {
		case info&types.IsString != 0 && len(s.texts) > 0:
			return s.texts[s.Rand.Intn(len(s.texts))]
		case info&types.IsInteger != 0 && len(s.numbers) > 0:
			return s.numbers[s.Rand.Intn(len(s.numbers))]
		}
	}
	v := list[s.Rand.Intn(len(list))]
	if s.Rand.Intn(8) == 0 { // the corner cases come first
		return list[s.Rand.Intn(min(3, len(list)))]
	}
	if constants.IsLarge(v.Bits) && s.Rand.Intn(4) > 0 {
		v = list[s.Rand.Intn(len(list))]
	}
	if s.Rand.Intn(4) == 0 {
		v = s.mutateValue(v, n)
	}
	return v
}

// mutateValue returns a value of a basic type that differs a little from v.
func (s *Sampler) mutateValue(v constants.Value, n *paramgraph.Node) constants.Value {
	switch info := n.Type.Underlying().(*types.Basic).Info(); {
	case info&types.IsInteger != 0:
		v.Bits = run.MutateInt(s.Rand, v.Bits)
	case info&types.IsString != 0:
		v.Text = s.Graph.Constants.Vocabulary.Mutate(s.Rand, v.Text)
	}
	return v
}
