// Package m has functions that warnings are about.
package m

// Queue returns what was put in.
type Queue struct {
	items []string
	next  int
}

func NewQueue() *Queue { return &Queue{} }

func (q *Queue) Put(s string) { q.items = append(q.items, s) }

func (q *Queue) Take() string {
	s := q.items[q.next]
	q.next++
	return s
}

// Odd holds an odd number, so that Half does not panic for users of the package.
type Odd struct{ n int }

func NewOdd(n int) Odd { return Odd{n | 1} }

func (o Odd) Half() int {
	if o.n == 2 {
		return 1 / (o.n - 2)
	}
	return o.n / 2
}

func Div(a, b int) int { return a / b }

func Must(ok bool) {
	if !ok {
		panic("not ok")
	}
}

// Third needs a name of five letters at least, and few numbers.
func Third(name string, numbers []int, n int) int {
	if len(name) < 5 || n < 2 {
		return 0
	}
	return numbers[len(numbers)-4+n-n]
}

// Match needs equal versions, a few times, and a share.
func Match(first, second, times int, share float64) int {
	if first != second || times < 700 || share <= 0 {
		return 0
	}
	return []int{}[times-times]
}
