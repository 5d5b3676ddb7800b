package candidate

import (
	"fmt"
	"go/types"
	"strings"

	"dsd/crash/candidate/instrument"
	"dsd/crash/gofile"
	"dsd/internal/source"
)

// rtName is the name of the runtime package in the table's file.
const rtName = instrument.RuntimeName

// tableInput is what the table's file passes to the runtime besides the table.
type tableInput struct {
	runtime string         // import path of the runtime
	numbers map[string]int // of the functions with preconditions, by name
	goals   string         // BuildOptions.Goals as JSON
	steps   []int          // number of steps in each frame
	targets [][]int        // the frames of each target
}

// tableFile returns the Go file that hands the operations to the runtime and starts it from
// TestMain. One line of the table is one operation, so that the compiler's complaints can be
// matched with operations; see Harness.drop.
func tableFile(f *gofile.File, table []*Op, in tableInput) string {
	for _, name := range []string{"f", "table", "old"} {
		f.Reserved[name] = true
	}
	var entries strings.Builder
	for _, o := range table {
		fmt.Fprintf(&entries, "\t\t%s, // %s\n", o.entry(f, in.numbers), o.Name)
	}
	text := entries.String()
	stubs := f.Declarations(text)
	main := fmt.Sprintf("func TestMain(*%s.M) {\n", f.Use("testing", "testing"))

	var out strings.Builder
	fmt.Fprintf(&out, "//go:build go1.21\n\npackage %s\n\n", f.Pkg.Name())
	fmt.Fprintf(&out, "import %s %q\n\n", rtName, in.runtime)
	fmt.Fprintf(&out, "%s\n", f.Imports(text+stubs+main))
	// The table is a variable: a function with so many literals would take the compiler long.
	fmt.Fprintf(&out, "%s%s\t}\n\n", tableHead, text)
	out.WriteString(main)
	fmt.Fprintf(&out, "\t%s.Goals(%q)\n", rtName, in.goals)
	if len(in.steps) > 0 {
		fmt.Fprintf(&out, "\t%s.Trails(%#v, %#v)\n", rtName, in.steps, in.targets)
	}
	fmt.Fprintf(&out, "\t%s.Main(zz_dsd_table)\n}\n%s", rtName, stubs)
	return out.String()
}

// tableHead is the line before the first operation.
const tableHead = "var zz_dsd_table = []" + rtName + ".Op{\n"

// entry returns the operation as an element of the runtime's table, a run.Op. numbers are the
// numbers of the functions with preconditions, by name.
func (o *Op) entry(f *gofile.File, numbers map[string]int) string {
	switch {
	case o.Lit:
		return o.literalEntry(f)
	case o.Variadic:
		const text = "{Args: -1, Do: func(f *%[1]s.Frame) { s := make(%[2]s, f.N());" +
			" for i := range s { s[i] = %[1]s.Argument[%[3]s](f, i) }; f.Put(s) }}"
		return fmt.Sprintf(text, rtName, f.Type(o.Out[0]), f.Type(o.In[len(o.In)-1]))
	}
	number := 0
	if o.Func != nil {
		number = numbers[source.FuncName(o.Func)]
	}
	options := ""
	if len(o.Goals) > 0 {
		options += fmt.Sprintf("Goals: %#v, ", o.Goals)
	}
	var any []int
	for i, t := range o.In {
		if MayBeNil(t) {
			any = append(any, i)
		}
	}
	if len(any) > 0 {
		options += fmt.Sprintf("Any: %#v, ", any)
	}
	return fmt.Sprintf("{Args: %d, Call: %v, Number: %d, %sDo: func(f *%s.Frame) { %s }}",
		len(o.In), o.Func != nil, number, options, rtName, o.statements(f))
}

// literalEntry returns the entry of an operation that makes a literal.
func (o *Op) literalEntry(f *gofile.File) string {
	t := f.Type(o.Out[0])
	const head = "{Lit: func(b uint64, s string) interface{} { return "
	float := func() string { return f.Use("math", "math") + ".Float64frombits(b)" }
	switch info := o.Out[0].Underlying().(*types.Basic).Info(); {
	case info&types.IsBoolean != 0:
		return fmt.Sprintf(head+"%s(b == 1) }}", t)
	case info&types.IsString != 0:
		return fmt.Sprintf(head+"%s(s) }}", t)
	case info&types.IsFloat != 0:
		return fmt.Sprintf(head+"%s(%s) }}", t, float())
	case info&types.IsComplex != 0:
		return fmt.Sprintf(head+"%s(complex(%s, 0)) }}", t, float())
	}
	return fmt.Sprintf(head+"%s(b) }}", t)
}

// statements returns the statements that execute the operation on a frame f: they take the
// arguments from it and put the results into it.
func (o *Op) statements(f *gofile.File) string {
	args := make([]string, len(o.In))
	bind := ""
	for i, t := range o.In {
		args[i] = fmt.Sprintf("%s.Argument[%s](f, %d)", rtName, f.Type(t), i)
		if o.Captures { // the frame is reused before the arguments are
			bind += fmt.Sprintf("a%d := %s; ", i, args[i])
			args[i] = fmt.Sprintf("a%d", i)
		}
	}
	text := o.expr(f, args)
	if o.Sets != nil {
		name := variable(f, o.Sets)
		text = fmt.Sprintf("old := %[1]s; %[2]s.Undo(func() { %[1]s = old }); %[3]s", name, rtName, text)
	}
	switch len(o.Out) {
	case 0:
		return text
	case 1: // the declared type makes a function literal or channel one of a named type
		return bind + "var r " + f.Type(o.Out[0]) + " = " + text + "; f.Put(r)"
	}
	var names, puts []string
	for i := range o.Out {
		names = append(names, fmt.Sprintf("r%d", i))
		puts = append(puts, fmt.Sprintf("f.Put(r%d)", i))
	}
	text = strings.Join(names, ", ") + " := " + text + "; " + strings.Join(puts, "; ")
	// After an error the other results are not meant to be used: the candidate stops.
	if last := len(o.Out) - 1; types.TypeString(o.Out[last], nil) == "error" && o.Func != nil {
		text += fmt.Sprintf("; f.Stop(r%d)", last)
	}
	return text
}
