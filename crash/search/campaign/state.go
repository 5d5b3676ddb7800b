package campaign

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/types"

	"dsd/crash/candidate"
	"dsd/crash/gofile"
)

// stateFormat names the format of a state.
const stateFormat = "dsd.random-state/1"

// state holds candidates in a form that outlives the table of operations: a program may have changed when
// they are read.
type state struct {
	Format string `json:"format"`
	// Ops are the operations by what they do, see opKeys.
	Ops      []string      `json:"ops"`
	Programs [][]stateStmt `json:"programs"`
}

// stateStmt is a statement. Text is not a string, since JSON keeps only valid UTF-8 in these.
type stateStmt struct {
	Op   int    `json:"op"`
	Args []int  `json:"args,omitempty"`
	Bits uint64 `json:"bits,omitempty"`
	Text []byte `json:"text,omitempty"`
}

// opKeys returns what identifies each operation of a table from one run to the next: its types and its
// Go source.
func opKeys(pkg *types.Package, table []*candidate.Op) []string {
	f := gofile.New(pkg)
	keys := make([]string, len(table))
	for i, o := range table {
		keys[i] = o.Key(f)
	}
	return keys
}

// encodeState returns candidates as text.
func encodeState(pkg *types.Package, table []*candidate.Op, programs []candidate.Program) ([]byte, error) {
	keys := opKeys(pkg, table)
	s := &state{Format: stateFormat, Programs: [][]stateStmt{}}
	numbers := map[int]int{}
	for _, p := range programs {
		var out []stateStmt
		for i := range p {
			n, ok := numbers[p[i].Op]
			if !ok {
				n = len(s.Ops)
				numbers[p[i].Op] = n
				s.Ops = append(s.Ops, keys[p[i].Op])
			}
			out = append(out, stateStmt{n, p[i].Args, p[i].Bits, []byte(p[i].Text)})
		}
		s.Programs = append(s.Programs, out)
	}
	return json.MarshalIndent(s, "", " ")
}

// CheckState returns an error if a text is no state.
func CheckState(text []byte) error {
	_, err := parseState(text)
	return err
}

func parseState(text []byte) (*state, error) {
	var s state
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	if s.Format != stateFormat {
		return nil, fmt.Errorf("format: %.50q, want %q", s.Format, stateFormat)
	}
	return &s, nil
}

// decodeState returns the candidates of a state that consist of operations of the table. A state comes from
// outside: candidates that make no sense are an error.
func decodeState(pkg *types.Package, table []*candidate.Op, text []byte) ([]candidate.Program, error) {
	s, err := parseState(text)
	if err != nil {
		return nil, err
	}
	index := map[string]int{}
	for i, k := range opKeys(pkg, table) {
		index[k] = i
	}
	var out []candidate.Program
next:
	for _, stmts := range s.Programs {
		var p candidate.Program
		var results []types.Type
		for _, st := range stmts {
			if st.Op < 0 || st.Op >= len(s.Ops) {
				return nil, errors.New("a statement has an operation that is not in the list")
			}
			n, ok := index[s.Ops[st.Op]]
			if !ok {
				continue next
			}
			op := table[n]
			if !op.Variadic && len(st.Args) != len(op.In) || op.Lit && len(st.Args) > 0 {
				return nil, errors.New("a statement has another number of arguments than its operation")
			}
			for i, a := range st.Args {
				if a < 0 || a >= len(results) {
					return nil, errors.New("an argument is no result of an earlier statement")
				}
				if in := op.In[min(i, len(op.In)-1)]; !types.AssignableTo(results[a], in) {
					return nil, errors.New("an argument has another type than its operation wants")
				}
			}
			p = append(p, candidate.Stmt{Op: n, Args: st.Args, Bits: st.Bits, Text: string(st.Text)})
			results = append(results, op.Out...)
		}
		if len(p) > 0 {
			out = append(out, p)
		}
	}
	return out, nil
}
