package origin

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"

	"dsd/crash/locate"
	"dsd/crash/stack"
	"dsd/internal/git"
	"dsd/internal/goenv"
	"dsd/internal/source"
	"dsd/internal/stacktrace"
)

// pseudoVersion matches the version that the go command gives to a revision without a tag.
var pseudoVersion = regexp.MustCompile(`[-.]\d{14}-([0-9a-f]{12})(?:\+|$)`)

// oldSource returns what reads the version of a module that the text of p is of, where that is another than the build's.
// The text names it in the paths of its files, or as the program's vcs.revision. It is read in the module cache, or, for
// the main module, in its git repository; nothing is downloaded.
func oldSource(ctx context.Context, p *stack.Panic) locate.Old {
	cache := ""
	return func(m *source.Module, frame stacktrace.Frame, file string) ([]byte, string) {
		version := versionIn(frame.File, m)
		if version == "" && m.Main {
			return committed(ctx, m.Dir, p.Revision, file)
		}
		if version == "" || version == m.Version {
			return nil, ""
		}
		if cache == "" {
			env, _ := goenv.Read(ctx, m.Dir)
			cache = env["GOMODCACHE"]
		}
		text, err := os.ReadFile(filepath.Join(cache, filepath.FromSlash(escapeCase(m.Path+"@"+version)), filepath.FromSlash(file)))
		if err == nil {
			return text, version
		}
		if !m.Main {
			return nil, ""
		}
		if r := pseudoVersion.FindStringSubmatch(version); r != nil {
			return committed(ctx, m.Dir, r[1], file)
		}
		text, at := committed(ctx, m.Dir, version, file)
		if at == "" { // the tag of a module in a folder of the repository
			prefix, _ := git.Run(ctx, m.Dir, "rev-parse", "--show-prefix")
			text, at = committed(ctx, m.Dir, strings.TrimSpace(prefix)+version, file)
		}
		return text, at
	}
}

// committed returns a file below a directory as it was in a revision, and the revision; "" if git has it not.
func committed(ctx context.Context, dir, revision, file string) (text []byte, version string) {
	if revision == "" {
		return nil, ""
	}
	commit, err := git.Commit(ctx, dir, revision)
	if err != nil {
		return nil, ""
	}
	out, err := git.Run(ctx, dir, "show", commit+":./"+file)
	if err != nil {
		return nil, ""
	}
	return []byte(out), revision[:min(len(revision), 12)]
}

// versionIn returns the version of a module that the path of one of its files names, "" if it names none.
func versionIn(file string, m *source.Module) string {
	_, rest, ok := strings.Cut(filepath.ToSlash(file), escapeCase(m.Path)+"@")
	if !ok {
		_, rest, _ = strings.Cut(filepath.ToSlash(file), m.Path+"@") // as -trimpath has it
	}
	version, _, _ := strings.Cut(rest, "/")
	return version
}

// escapeCase writes a path as the module cache has it: with an exclamation mark before each capital letter, which
// becomes a small one.
func escapeCase(path string) string {
	var out strings.Builder
	for _, r := range path {
		if unicode.IsUpper(r) {
			out.WriteByte('!')
			r = unicode.ToLower(r)
		}
		out.WriteRune(r)
	}
	return out.String()
}
