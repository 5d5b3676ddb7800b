// Package sheet reads documents that nest deeply.
package sheet

type Book struct {
	Name   string
	Sheets []Sheet
}

type Sheet struct {
	Name   string
	Data   Data
	Parent *Book
}

type Data struct{ Rows []Row }

type Row struct {
	Height float64
	Cells  []Cell
}

type Cell struct {
	Name  string
	Value *string
}

// Columns counts the cells of each column from A to D.
func Columns(b *Book) (counts [4]int) {
	for _, s := range b.Sheets {
		for _, r := range s.Data.Rows {
			for _, c := range r.Cells {
				if len(c.Name) == 2 {
					counts[c.Name[0]-'A']++
				}
			}
		}
	}
	return counts
}

// style is a type that only the package can name.
type style struct{ Color []byte }

func bright(s *style) bool { return s.Color[0] > 100 }
