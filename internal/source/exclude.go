package source

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Exclude takes packages out of p.Packages: those in the folders, relative to the testee's root, that patterns
// match, as in the go command: internal/gen, or internal/gen/... with all below. What other packages need of
// them stays in p.All. The error reports a pattern that is none.
func (p *Program) Exclude(patterns []string) error {
	for _, pattern := range patterns {
		folder, below := strings.CutSuffix(strings.TrimPrefix(pattern, "./"), "/...")
		if folder == "" || path.IsAbs(folder) || path.Clean(folder) != folder || strings.HasPrefix(folder, "..") ||
			strings.Contains(folder, "...") {
			return fmt.Errorf("%q: want folders of the module, such as internal/gen/... or internal/gen", pattern)
		}
		p.Packages = slices.DeleteFunc(slices.Clone(p.Packages), func(pkg *Package) bool {
			dir := p.Rel(pkg.Dir)
			return dir == folder || below && strings.HasPrefix(dir, folder+"/")
		})
	}
	return nil
}
