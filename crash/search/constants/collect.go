package constants

import (
	"go/types"
	"slices"
	"strconv"

	"dsd/crash/candidate"
	"dsd/crash/candidate/run"
	"dsd/internal/source"
)

// Set holds the values that were collected for the literals of one package.
type Set struct {
	// Vocabulary holds the words, strings and integers with which literals are mutated.
	Vocabulary *run.Vocabulary

	byKind   map[types.BasicKind][]Value
	observed Observed
	usage    *usage
	byFunc   map[*types.Func][]Literal
	// documents are JSON texts for the structs of the package.
	documents []Literal
}

// Collect collects the values for the literals of a package: those of its source, its tests and its
// sample files, and the observed values of parameters, which may be nil.
func Collect(pkg *source.Package, observed Observed) *Set {
	tests := testFiles(pkg)
	files := append(slices.Clone(pkg.Files), tests...)
	s := &Set{
		byKind: ofFiles(files), observed: observed,
		usage: usageOf(files), byFunc: byFunction(pkg),
	}
	found := samples(pkg.Dir, tests)
	for _, text := range found {
		s.byKind[types.String] = append(s.byKind[types.String], Value{Text: text})
	}
	for _, text := range documents(pkg) {
		s.byKind[types.String] = append(s.byKind[types.String], Value{Text: text})
		if l, ok := parseLiteral(strconv.Quote(text)); ok {
			s.documents = append(s.documents, l)
		}
	}
	s.Vocabulary = &run.Vocabulary{Words: words(files, found)}
	for _, v := range s.byKind[types.String] {
		s.Vocabulary.Texts = append(s.Vocabulary.Texts, v.Text)
	}
	for _, v := range s.byKind[types.Int] {
		s.Vocabulary.Numbers = append(s.Vocabulary.Numbers, v.Bits)
	}
	return s
}

// Values returns the values for literals of a basic type, nil if there are none.
func (s *Set) Values(b *types.Basic) []Value {
	info := b.Info()
	switch {
	case info&types.IsBoolean != 0:
		return []Value{{Bits: 0}, {Bits: 1}}
	case info&types.IsString != 0:
		return s.byKind[types.String]
	case info&types.IsInteger != 0:
		return s.byKind[types.Int]
	case info&(types.IsFloat|types.IsComplex) != 0:
		return s.byKind[types.Float64]
	}
	return nil
}

// Append appends the Go literals that fit a basic type to the values of a type, up to twice
// maxConstants. It does not change the array of values.
func Append(values []Value, b *types.Basic, literals []string) []Value {
	for _, text := range literals {
		l, ok := parseLiteral(text)
		if ok && l.fits(b) && len(values) > 0 && len(values) <= 2*maxConstants {
			values = append(values[:len(values):len(values)], l.Value)
		}
	}
	return values
}

// Usual returns the values that an argument of an operation, of a basic type, usually has, each
// once: the observed ones, those that calls pass, and the constants that the function uses; of a body, the documents.
func (s *Set) Usual(o *candidate.Op, arg int, b *types.Basic) []Value {
	var list []Literal
	switch {
	case o.Func != nil:
		list = s.observedOf(o, arg)
		list = append(list, s.usage.args[o.Func.Name()][parameter(o, arg)]...)
		list = append(list, s.byFunc[o.Func.Origin()]...)

	case o.Body && arg == len(o.In)-1:
		list = s.documents

	case arg < len(o.Fields):
		list = s.usage.fields[o.Fields[arg].Name()]
	}
	return fitting(list, b)
}

// Observed returns the values that an argument of an operation, of a basic type, had when the tests of the testee ran,
// each once: of a parameter of a function, or, if the operation writes a struct, of a field of that name.
func (s *Set) Observed(o *candidate.Op, arg int, b *types.Basic) []Value {
	if o.Func == nil && arg < len(o.Fields) {
		return fitting(s.observed.literals(anyFunc, o.Fields[arg].Name()), b)
	}
	return fitting(s.observedOf(o, arg), b)
}

// observedOf returns the observed values of an argument of a call, nil if the operation is none.
func (s *Set) observedOf(o *candidate.Op, arg int) []Literal {
	if o.Func == nil {
		return nil
	}
	at, params := parameter(o, arg), o.Func.Type().(*types.Signature).Params()
	if at < 0 || at >= params.Len() {
		return nil
	}
	return s.observed.literals(source.FuncName(o.Func), params.At(at).Name())
}

// parameter returns which parameter an argument of a call is, without the receiver: then it is -1.
func parameter(o *candidate.Op, arg int) int {
	if o.OnFirst {
		return arg - 1
	}
	return arg
}

// fitting returns the values of the literals that a basic type can have, each once.
func fitting(list []Literal, b *types.Basic) []Value {
	var out []Value
	for _, l := range list {
		if l.fits(b) && !slices.Contains(out, l.Value) {
			out = append(out, l.Value)
		}
	}
	return out
}
