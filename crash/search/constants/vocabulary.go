package constants

import (
	"go/ast"
	"go/constant"
	"go/token"
	"slices"

	"dsd/crash/candidate/run"
)

const (
	maxWords    = 20_000 // words that are kept
	maxSameWord = 30     // times that one word is kept
)

// words returns the words of samples and of all strings in files. A frequent word is in the list as
// often as in the texts, up to maxSameWord times, and so is drawn more often.
func words(files []*ast.File, samples []string) []string {
	var out []string
	times := map[string]int{}
	add := func(text string) {
		for _, w := range run.SplitWords(text) {
			if times[w]++; times[w] <= maxSameWord && len(out) < maxWords {
				out = append(out, w)
			}
		}
	}
	for _, text := range samples {
		add(text)
	}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if _, ok := n.(*ast.ImportSpec); ok || len(out) >= maxWords {
				return false
			}
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				v := constant.MakeFromLiteral(lit.Value, lit.Kind, 0)
				add(constant.StringVal(v))
			}
			return true
		})
	}
	return out
}

// Extend returns a copy of a vocabulary with more Go literals. The copy shares the words.
func Extend(v *run.Vocabulary, literals []string) *run.Vocabulary {
	out := &run.Vocabulary{
		Words: v.Words, Texts: slices.Clone(v.Texts), Learned: v.Learned, Numbers: slices.Clone(v.Numbers), Deep: v.Deep,
	}
	for _, text := range literals {
		if l, ok := Parse(text); !ok {
			continue
		} else if IsString(text) {
			out.Texts = append(out.Texts, l.Text)
		} else {
			out.Numbers = append(out.Numbers, l.Bits)
		}
	}
	return out
}

// maxLearned is the number of learned texts that are kept.
const maxLearned = 64

// Learn is Extend, and the texts of the literals are drawn more often than others. The last maxLearned are.
func Learn(v *run.Vocabulary, literals []string) *run.Vocabulary {
	out := Extend(v, literals)
	learned := slices.Concat(v.Learned, out.Texts[len(v.Texts):])
	out.Learned = learned[max(0, len(learned)-maxLearned):]
	return out
}
