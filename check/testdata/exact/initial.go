package exact

// What package-level variables hold, and pointers that are converted.

var (
	list    = []int{1, 2, 3}
	table   = map[string]int{"a": 1}
	pointed = &cell{1}
	changed = []int{1}
)

func init() {
	list[1] = 20
	table["b"] = 2
	pointed.x = 5
}

// Change may be called before.
func Change() { changed = nil }

func NeverElements() { must(list[0] == 1 && list[1] == 20) }

func NeverEntries() { must(table["a"] == 1 && table["b"] == 2 && len(table) == 2) }

func NeverFields() { must(pointed.x == 5) }

func CanOldElement() { must(list[1] == 2) }

func CanChanged() {
	Change()
	_ = changed[0]
}

type number int

type point struct{ x, y int }

type vector point

func NeverConvertedNumber() {
	n := 1
	p := (*number)(&n)
	n = 5
	must(*p == 5)
	*p = 7
	must(n == 7)
}

func NeverConvertedRecord() {
	p := &point{1, 2}
	v := (*vector)(p)
	v.x = 7
	p.y = 8
	must(p.x == 7 && v.y == 8 && *v == vector{7, 8})
}

func CanConverted() {
	n := 1
	p := (*number)(&n)
	*p = 0
	_ = 1 / n
}
