package schemas

import "strings"

// The names of the documents, without "dsd/" and the version.
const (
	TraceName      = "trace"
	InvariantsName = "invariants"
	ChangesName    = "changes"
	ModelsName     = "models"
	WarningsName   = "warnings"
	CrashesName    = "crashes"
	PanicName      = "panic"
	RecordingName  = "recording"
)

// Names lists the names of all documents.
var Names = []string{
	TraceName, InvariantsName, ChangesName, ModelsName,
	WarningsName, CrashesName, PanicName, RecordingName,
}

// Header begins every document.
type Header struct {
	// Schema is "dsd/NAME/vN".
	Schema string `json:"schema"`
	// Module is the testee.
	Module Module `json:"module"`
	// Incomplete reports whether the run was interrupted: the contents are true, but not
	// complete.
	Incomplete bool `json:"incomplete,omitempty"`
}

// Module identifies the testee.
type Module struct {
	Path string `json:"path"`
	// Dir is the directory of the module. The tools leave it empty, so that documents from
	// different machines can be compared.
	Dir string `json:"dir,omitempty"`
	// Go is the language version in the module's go.mod, such as "1.22"; empty if it has none.
	Go string `json:"go,omitempty"`
	// Workspace are the modules if the testee is several modules of a workspace, sorted by path. Path
	// and Go are then the first one's, and positions are relative to the directory of go.work.
	Workspace []WorkspaceModule `json:"workspace,omitempty"`
}

// WorkspaceModule is a module of a workspace.
type WorkspaceModule struct {
	Path string `json:"path"`
	// Dir is the module's directory relative to that of go.work, with slashes.
	Dir string `json:"dir"`
}

// Of returns the module of the testee that a package belongs to: its path, and its directory relative to
// the root of positions; "" and "" if there is none.
func (m *Module) Of(pkg string) (path, dir string) {
	list := m.Workspace
	if len(list) == 0 {
		list = []WorkspaceModule{{m.Path, "."}}
	}
	for _, w := range list {
		if len(w.Path) > len(path) && (pkg == w.Path || strings.HasPrefix(pkg, w.Path+"/")) {
			path, dir = w.Path, w.Dir
		}
	}
	return path, dir
}

// LeftOut is something that was not analyzed, and why.
type LeftOut struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// Skipped is a function that was not, or not completely, analyzed, and why.
type Skipped struct {
	Func   string `json:"func"`
	Reason string `json:"reason"`
}
