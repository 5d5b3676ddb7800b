package candidate

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"dsd/internal/cache"
	"dsd/internal/memo"
	"dsd/internal/source"
)

// TestTranscript: a harness that was asked before answers alike without being built, as long as it is asked alike.
func TestTranscript(t *testing.T) {
	store, err := cache.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	type answer struct {
		Events    []Event
		Evaluated int
		Processes int
		Panics    int
	}
	// ask asks a harness, fresh or not, each batch, and returns the answers, and whether it was built.
	ask := func(fresh bool, limits Limits, batches ...[]int) (answers []answer, built bool, err error) {
		t.Helper()
		prog, err := source.Load(context.Background(), filepath.Join("testdata", "mod"), nil)
		if err != nil {
			t.Fatal(err)
		}
		f := fixtureOf(t, prog, "executed/pkg", BuildOptions{
			Reset: ResetReinit, Memo: memo.New(context.Background(), store, memo.ID{}, prog), Fresh: fresh,
		})
		r := f.NewRunner(limits)
		defer r.Close()
		for _, numbers := range batches {
			var batch []Program
			for _, n := range numbers {
				batch = append(batch, f.call("Div", 7, n))
			}
			events, err := r.Run(context.Background(), batch)
			if err != nil {
				return answers, false, errors.Join(err, f.Close())
			}
			answers = append(answers, answer{events, r.Evaluated, r.Processes, r.Panics})
		}
		_, err = os.Stat(f.bin)
		return answers, err == nil, f.Close()
	}
	first, built, err := ask(false, DefaultLimits, []int{1, 0}, []int{3})
	if err != nil || !built || len(first[0].Events) == 0 {
		t.Fatalf("%+v, built %v, %v", first, built, err)
	}
	again, built, err := ask(false, DefaultLimits, []int{1, 0}, []int{3})
	if err != nil || built || !reflect.DeepEqual(again, first) {
		t.Errorf("again %+v, built %v, %v; want %+v, not built", again, built, err, first)
	}
	for name, otherwise := range map[string]func() ([]answer, bool, error){
		"another batch": func() ([]answer, bool, error) { return ask(false, DefaultLimits, []int{1, 0}, []int{2}) },
		"one more":      func() ([]answer, bool, error) { return ask(false, DefaultLimits, []int{1, 0}, []int{3}, []int{1}) },
		"other limits":  func() ([]answer, bool, error) { return ask(false, Limits{Timeout: 1e9}, []int{1, 0}) },
	} {
		if _, _, err := otherwise(); !errors.Is(err, ErrOutdated) {
			t.Errorf("%s: %v, want ErrOutdated", name, err)
		}
	}
	fewer, built, err := ask(false, DefaultLimits, []int{1, 0})
	if err != nil || built || !reflect.DeepEqual(fewer, first[:1]) {
		t.Errorf("fewer: %+v, built %v, %v; want %+v, not built", fewer, built, err, first[:1])
	}
	if fresh, built, err := ask(true, DefaultLimits, []int{2}); err != nil || !built || len(fresh[0].Events) == 0 {
		t.Errorf("fresh: %+v, built %v, %v; want events, built", fresh, built, err)
	}
	if _, built, err := ask(false, DefaultLimits, []int{2}); err != nil || built {
		t.Errorf("after the fresh one: built %v, %v; want that it is answered", built, err)
	}
}
