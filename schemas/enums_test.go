package schemas

import (
	"slices"
	"strings"
	"testing"
)

func texts[E ~string](values []E) []string {
	var out []string
	for _, v := range values {
		out = append(out, string(v))
	}
	return out
}

// at returns the schema at a path of properties, items and definitions below the root.
func (s *schema) at(path string) *schema {
	for _, step := range strings.Fields(path) {
		for s.ref != nil {
			s = s.ref
		}
		switch name, isDef := strings.CutPrefix(step, "#"); {
		case isDef:
			s = s.Defs[name]
		case step == "[]":
			s = s.Items
		default:
			s = s.Properties[step]
		}
		if s == nil {
			return nil
		}
	}
	for s.ref != nil {
		s = s.ref
	}
	return s
}

func TestEnumerationsMatchSchemas(t *testing.T) {
	kinds := texts(Kinds)
	strategies := texts([]Strategy{StrategyTests, StrategyValues, StrategySearch, StrategySolve,
		StrategyPath, StrategyRecording})
	for _, tt := range []struct {
		document, path string
		want           []string
	}{
		{WarningsName, "#kind", kinds},
		{WarningsName, "#warning status", texts([]Status{Sat, Free, Unknown})},
		{CrashesName, "#crash kind", kinds},
		{CrashesName, "#crash built_by", texts([]BuiltBy{BySequence, ByLiteral})},
		{CrashesName, "#unconfirmed outcome", texts(Outcomes)},
		{CrashesName, "#crash strategy", strategies},
		{CrashesName, "#crash rank", texts(Ranks)},
		{CrashesName, "reproduction searches [] strategy",
			texts([]Strategy{StrategySearch, StrategySolve})},
		{PanicName, "kind", kinds},
		{TraceName, "points [] at", texts([]At{AtEntry, AtExit, AtPanic})},
		{TraceName, "points [] vars [] rep",
			texts([]Rep{RepInt, RepUint, RepFloat, RepBool, RepString, RepRef, RepType,
				RepInts, RepUints, RepFloats, RepStrings, RepRefs})},
		{InvariantsName, "#invariant template", Templates},
		{ChangesName, "changes [] kind", texts([]ChangeKind{Appeared, Vanished, Weakened, Strengthened})},
	} {
		s := schemaOf(tt.document).at(tt.path)
		if s == nil {
			t.Errorf("%s.schema.json has no %s", tt.document, tt.path)
			continue
		}
		if !slices.Equal(s.Enum, tt.want) {
			t.Errorf("%s.schema.json, %s: got %v, want %v", tt.document, tt.path, s.Enum, tt.want)
		}
	}
	at := schemaOf(InvariantsName).at("#point at").pattern
	for _, a := range []At{AtEntry, AtExit, AtPanic, AtType, AtExit + "7"} {
		if !at.MatchString(string(a)) {
			t.Errorf("invariants.schema.json: %s does not match %s", a, at)
		}
	}
}
