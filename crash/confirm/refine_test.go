package confirm_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"dsd/check"
	"dsd/crash/confirm"
	"dsd/crash/search/constants"
	"dsd/internal/source"
	"dsd/schemas"
)

// TestRefine confirms warnings whose counterexamples invent what calls return, in several ways, and
// says what contradicts the others.
func TestRefine(t *testing.T) {
	ctx := context.Background()
	prog, err := source.Load(ctx, filepath.Join("testdata", "refine"), nil)
	if err != nil {
		t.Fatal(err)
	}
	warnings, err := check.Run(ctx, prog, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	refine := func(ctx context.Context, funcs []*source.Func, known confirm.Known,
		asks func(fn string, kind schemas.Kind, pos string) bool,
	) (*schemas.Warnings, error) {
		return check.Run(ctx, prog, check.Options{Functions: funcs, Select: asks,
			Facts: known.Calls, OnlyFacts: known.Only, Comparisons: known.Comparisons})
	}
	const mod = "example.com/refine."
	for _, tt := range []struct {
		name string
		opt  confirm.Options
		// want is, by function, what its warning became: the outcome and the beginning of the
		// reason, or who can write the inputs of its crash, and how these were found.
		want map[string]string
	}{
		{"as they are", confirm.Options{NoSequences: true}, map[string]string{
			"Verify":  "refuted: hash/adler32.Checksum(nil) = 1, where the counterexample has 0",
			"Escape":  "refuted: html.EscapeString(",
			"Version": "refuted: v == header.Version (m.go:71:23) was false",
			"Must": "policy: policy: an explicit panic rejects the arguments, and the function " +
				"has no inferred preconditions",
			"(*parser).peek": "unexported",
		}},
		{"under facts", confirm.Options{NoSequences: true, Refine: refine}, map[string]string{
			"Verify": "public, solve after 3", "Version": "public, solve after 1",
			"(*parser).peek": "unexported, solve after 0",
		}},
		{"with values from a trace", confirm.Options{Observed: constants.Observed{
			mod + "Token": {"text": {`"winter-solstice-41"`}}}}, map[string]string{
			"Token": "public, search after 0",
		}},
		{"with a search", confirm.Options{Refine: refine}, map[string]string{
			"Token":  "refuted: hash/crc32.ChecksumIEEE(",
			"Verify": "public, solve after 3", "Long": "public, search after 0",
			"(*parser).peek": "public, search after 0",
			"Escape":         "refuted: html.EscapeString(",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			doc, err := confirm.Run(ctx, prog, warnings, tt.opt)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			warned := map[string]string{}
			for _, w := range warnings.Warnings {
				warned[w.ID] = w.Func[len(mod):]
			}
			for _, u := range doc.Unconfirmed {
				got[warned[u.Warning]] = string(u.Outcome) + ": " + u.Reason
			}
			for _, c := range doc.Crashes {
				got[warned[c.Warning]] = "public"
				if c.UnexportedCalls || c.BuiltBy == schemas.ByLiteral ||
					c.Func == "example.com/refine.(*parser).peek" {
					got[warned[c.Warning]] = "unexported"
				}
				got[warned[c.Warning]] += fmt.Sprintf(", %s after %d", c.Strategy, c.Rounds)
			}
			for fn, want := range tt.want {
				if !strings.HasPrefix(got[fn], want) {
					t.Errorf("%s: got %q, want %q", fn, got[fn], want)
				}
			}
		})
	}
}
