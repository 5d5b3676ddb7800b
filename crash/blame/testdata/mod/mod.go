// Package mod has functions that panic, one per line marked with a name.
package mod

import (
	"errors"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"strings"
	"time"
)

// Parse returns the second part of a text.
func Parse(text string) (string, error) {
	if text == "" {
		return "", errors.New("empty")
	}
	return second(strings.Split(text, ",")), nil
}

func second(parts []string) string {
	return parts[1] // second
}

// At returns an element.
func At(list []int, i int) int { return list[i] } // at

// AtEnd passes its index on.
func AtEnd(list []int, i int) int {
	return At(list, i+1) // at-end
}

// Div panics if b is zero.
func Div(a, b int) int { return a / b } // div

// Quotient divides.
func Quotient(a, b int) int { return a / b } // quotient

// Columns returns the columns of a table.
func Columns(width, n int) []int {
	per := width / n // columns
	return make([]int, per)
}

// MustParse is like Parse.
func MustParse(text string) string {
	s, err := Parse(text)
	if err != nil {
		panic(err) // must
	}
	return s
}

// Pattern is a pattern for words that begin with a text.
func Pattern(text string) *regexp.Regexp { return regexp.MustCompile(text + `\w*`) } // pattern

// MustPattern is Pattern.
func MustPattern(text string) *regexp.Regexp { return regexp.MustCompile(text) } // must-pattern

// MustIn returns a time as the clocks of a place show it.
func MustIn(t time.Time, place *time.Location) time.Time { return t.In(place) } // must-in

// Words returns the first such word.
func Words(pattern, text string) (string, error) {
	return regexp.MustCompile(pattern).FindString(text), nil // words
}

// Read reads the second byte.
func Read(text string) (byte, error) { return text[1], nil } // read

// Serve answers with the second byte of the path.
func Serve(w http.ResponseWriter, r *http.Request) {
	w.Write([]byte{r.URL.Path[1]}) // serve
}

// User returns what the server knows of who sends a request.
func User(r *http.Request) *Record {
	return r.Context().Value("user").(*Record) // user
}

// MustRead is Read. It panics if there is an error.
func MustRead(text string) byte {
	b, err := Read(text) // must-read
	if err != nil {
		panic(err)
	}
	return b
}

// Stack has a constructor.
type Stack struct {
	items []int
	size  int
}

// NewStack returns an empty stack.
func NewStack() *Stack { return &Stack{items: make([]int, 4)} }

// Pop forgets to check.
func (s *Stack) Pop() { s.size-- }

// Push checks the other end.
func (s *Stack) Push(x int) {
	if s.size >= len(s.items) {
		return
	}
	s.items[s.size] = x // push
	s.size++
}

// Size checks its receiver.
func (s *Stack) Size() int {
	if s == nil {
		return 0
	}
	return s.size
}

// Empty checks its receiver.
func (s *Stack) Empty() bool { return s == nil || s.size == 0 }

// First does not.
func (s *Stack) First() int { return s.items[0] } // first

// Get returns the error, and nothing then.
func Get(name string) (*Stack, error) {
	if name == "" {
		return nil, errors.New("no name")
	}
	return NewStack(), nil
}

// Sorted is a sort.Interface.
type Sorted []int

func (s Sorted) Len() int           { return len(s) }
func (s Sorted) Less(i, j int) bool { return s[i] < s[j] } // less
func (s Sorted) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

// Fault is an error.
type Fault struct{ text string }

func (f *Fault) Error() string { return f.text } // error

// Check refuses.
func Check(n int) {
	if n < 0 {
		panic("n must not be negative") // check
	}
	if n == 7 {
		panic("unreachable: seven") // unreachable
	}
}

// Fill sets a value.
func Fill(v any) error {
	reflect.ValueOf(v).Elem().SetInt(1) // fill
	return nil
}

// Bool wants a bool.
func Bool(v any) bool { return v.(bool) } // bool

// Record is meant to be written.
type Record struct{ Low, High int }

// Share divides by the difference.
func (r Record) Share(n int) int { return n / (r.High - r.Low) } // share

// Walk follows a list.
func Walk(list []any) int {
	for _, v := range list {
		if l, ok := v.([]any); ok {
			return Walk(l) // walk
		}
	}
	return 0
}

// Old is old.
//
// Deprecated: use Parse.
func Old(text string) byte { return text[0] } // old

// Index wants a list that must not be empty.
func Index(list []string) string { return list[len(list)-1] } // index

// Reader is read.
type Reader interface{ Read() *Record }

// Low reads.
func Low(r Reader) int { return r.Read().Low } // low

// Names is a set of names. The zero value is an empty set, ready to use.
type Names struct{ set map[string]bool }

// NewNames returns an empty set.
func NewNames() *Names { return &Names{map[string]bool{}} }

// Add adds a name.
func (n *Names) Add(name string) {
	n.set[name] = true // add
}

// Box keeps a reader.
type Box struct{ r Reader }

// NewBox returns a box.
func NewBox(r Reader) *Box { return &Box{r} }

// Low reads from the reader that it keeps.
func (b *Box) Low() int { return b.r.Read().Low } // box

// Safe returns the second byte. It does not panic.
func Safe(text string) byte { return text[1] } // safe

var table = map[string]*Record{"a": {}}

// Lookup looks a name up.
func Lookup(name string) int { return table[name].Low } // lookup

// Node is part of a tree.
type Node struct {
	Name string
	Kids []*Node
}

// Count counts the nodes of a text.
func Count(text string) int {
	root := &Node{Name: text}
	return 1 + len(root.Kids)
}

// First returns the first child.
func (n *Node) First() *Node { return n.Kids[0] } // kid

// Apply calls a function.
func Apply(f func() *Record) int { return f().Low } // apply

// Maybe returns no stack for "none", and no error either.
func Maybe(name string) (*Stack, error) {
	if name == "none" {
		return nil, nil
	}
	return NewStack(), nil
}

// Gauge has unexported fields, and no constructor.
type Gauge struct {
	limits []int
	n      int
}

// Limit returns a limit.
func (g *Gauge) Limit() int { return g.limits[g.n] } // limit

// Page has fields that may be nil.
type Page struct {
	Author, Link *Record
	Index        int
}

// Check compares.
func (p *Page) Check() bool {
	if p.Index > 100 {
		return p.Author.Low > 0
	}
	return p.Link.Low > p.Index // link
}

// Forest is made by the package, and written by an example.
type Forest struct {
	Trees []*Node
	Edge  int
	Owner *Record
}

// Plant makes a forest.
func Plant(name string) int {
	f := &Forest{Trees: []*Node{{Name: name}}}
	return f.Last().Edge
}

// Last returns the tree at the edge.
func (f *Forest) Last() *Forest {
	_ = f.Trees[f.Edge-1] // last
	return f
}

// Clock is made by a constructor.
type Clock struct{ hours []int }

// Settings are what a clock is made from. The package makes some itself.
type Settings struct{ Hours, Step int }

// NewClock returns a clock.
func NewClock(s Settings) *Clock {
	return &Clock{make([]int, s.Hours/s.Step)} // clock
}

var defaults = Settings{Hours: 12, Step: 1}

// Char picks a letter.
func Char(letters []rune) rune { return letters[7%len(string(letters[1:]))] } // char

// Hasher is what callers write.
type Hasher interface{ Hash(string) int }

// Bucket hashes.
func Bucket(h Hasher, n Record) int { return h.Hash("") % (n.High - n.Low) } // bucket

// Shaper makes shapes.
type Shaper interface{ Shape() *Record }

// Set sets the shaper's high.
func Set(f *Settings, s any) int { return s.(Shaper).Shape().High } // set

func lonely(text string) byte { return text[0] } // lonely

// Tune applies what it gets.
func Tune(text string, shapers ...Shaper) int {
	n := len(text)
	for _, s := range shapers {
		n += s.Shape().High // tune
	}
	return n
}

// Cell returns an element of a row.
func Cell(row []int, i int) int { return row[i] } // cell

// Left and Right know how to call Cell.
func Left(row []int, i int) int {
	if i < 0 || i >= len(row) {
		return 0
	}
	return Cell(row, i)
}

// Right sums a row.
func Right(row []int) (sum int) {
	for i := range row {
		sum += Cell(row, i)
	}
	return sum
}

// Branch is part of a tree.
type Branch struct {
	Above *Branch
	Below []*Branch
}

// NewBranch returns a branch without others.
func NewBranch() *Branch { return &Branch{} }

// Grow adds a branch and returns it.
func (b *Branch) Grow(name string) *Branch {
	child := &Branch{Above: b}
	b.Below = append(b.Below, child)
	return child
}

// Add adds a branch.
func (b *Branch) Add(c *Branch) { b.Below = append(b.Below, c) }

// Last returns the name of the last branch.
func (b *Branch) Last() *Branch { return b.Below[len(b.Below)-1] } // twig

// Hit is what Find found.
type Hit struct{ Parts []string }

// Find splits a text at its colons.
func Find(text string) *Hit {
	return &Hit{strings.Split(text, ":")}
}

// Second returns the second part.
func (h *Hit) Second() string { return h.Parts[1] } // hit-second

// Third returns the third part.
func (h *Hit) Third() string { return h.Parts[2] } // hit-third

// Later returns an hour.
func Later(t time.Time) int { return []int{}[t.Hour()] } // later

// Text returns the text of a value of a kind.
func Text(k reflect.Kind, v any) (string, error) {
	if k != reflect.String {
		return "", errors.New("no string")
	}
	return v.(string), nil // text
}

// Root returns the branch that has no other above it; nil if there is none.
func (b *Branch) Root(deep int) *Branch {
	if deep == 0 {
		return nil
	}
	return b.Above.Root(deep - 1)
}

// Tie ties a branch to others.
func (b *Branch) Tie(others ...*Branch) {
	for _, o := range others {
		o.Above = b // tie
	}
}

// Season is one of four.
type Season int

const (
	Spring Season = iota
	Summer
	Autumn
	Winter
)

// Style is a set of styles.
type Style uint

const (
	Bold Style = 1 << iota
	Italic
	Struck
)

// Leaves tells a color.
func Leaves(s Season, _ Style) string { return []string{"green", "green", "red"}[s] } // leaves

// Spread makes lists.
func Spread[T any](n int) [][]T { return spread[T](n) } // spread

func spread[T any](n int) [][]T { return make([][]T, n) } // make

// Second returns the second byte.
func Second(data []byte) byte { return data[1] } // second-byte

// Mode makes a file private, and does not expect that to fail.
func Mode(name string) string {
	var failed []error
	if err := os.Chmod(name, 0o700); err == nil {
		failed = append(failed, err)
	}
	return failed[0].Error() // mode
}

// Hex reads a number that begins with 0x.
func Hex(s string) (byte, error) {
	if !strings.HasPrefix(s, "0x") || len(s) < 3 {
		return 0, errors.New("no number")
	}
	return digit([]byte(s))
}

func digit(s []byte) (byte, error) {
	return s[2], nil // digit
}
