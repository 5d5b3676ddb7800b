//go:build go1.21

// Code generated from package schemas by go test ./schemas -update; DO NOT EDIT.

package keep

// header is schemas.Header.
type header struct {
	Schema     string `json:"schema"`
	Module     module `json:"module"`
	Incomplete bool   `json:"incomplete,omitempty"`
}

// module is schemas.Module.
type module struct {
	Path      string            `json:"path"`
	Dir       string            `json:"dir,omitempty"`
	Go        string            `json:"go,omitempty"`
	Workspace []workspaceModule `json:"workspace,omitempty"`
}

// workspaceModule is schemas.WorkspaceModule.
type workspaceModule struct {
	Path string `json:"path"`
	Dir  string `json:"dir"`
}

// Recording is schemas.Recording.
type Recording struct {
	header
	Label   string  `json:"label,omitempty"`
	Copy    string  `json:"copy"`
	Build   build   `json:"build"`
	Crashes []crash `json:"crashes"`
}

// build is schemas.RecordedBuild.
type build struct {
	Go      string   `json:"go"`
	OS      string   `json:"os"`
	Arch    string   `json:"arch"`
	Main    string   `json:"main,omitempty"`
	Modules []string `json:"modules,omitempty"`
	Command []string `json:"command,omitempty"`
}

// crash is schemas.RecordedCrash.
type crash struct {
	ID      string    `json:"id"`
	Panic   string    `json:"panic"`
	Value   *Node     `json:"value,omitempty"`
	Ended   string    `json:"ended"`
	Frames  []frame   `json:"frames"`
	Objects []Node    `json:"objects"`
	Types   []typeDef `json:"types,omitempty"`
	Lost    []loss    `json:"lost,omitempty"`
}

// loss is schemas.Loss.
type loss struct {
	Reason string `json:"reason"`
	Count  int    `json:"count"`
}

// frame is schemas.RecordedFrame.
type frame struct {
	Symbol   string   `json:"symbol"`
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Func     string   `json:"func,omitempty"`
	TypeArgs []string `json:"type_args,omitempty"`
	Receiver *Input   `json:"receiver,omitempty"`
	Params   []Input  `json:"params,omitempty"`
	Globals  []Input  `json:"globals,omitempty"`
}

// Input is schemas.Input.
type Input struct {
	Name string `json:"name"`
	Node
}

// Node is schemas.Node.
type Node struct {
	Type    string  `json:"type"`
	Lit     string  `json:"lit,omitempty"`
	Ref     *int    `json:"ref,omitempty"`
	Len     *int64  `json:"len,omitempty"`
	Cap     *int64  `json:"cap,omitempty"`
	Fields  []Input `json:"fields,omitempty"`
	Elems   []Elem  `json:"elems,omitempty"`
	Closed  bool    `json:"closed,omitempty"`
	Dynamic *Node   `json:"dynamic,omitempty"`
	Path    string  `json:"path,omitempty"`
	Offset  int64   `json:"offset,omitempty"`
	Elem    string  `json:"elem,omitempty"`
	Var     string  `json:"var,omitempty"`
	Literal string  `json:"literal,omitempty"`
	Lost    string  `json:"lost,omitempty"`
}

// Elem is schemas.Elem.
type Elem struct {
	Index int64 `json:"index"`
	Key   *Node `json:"key,omitempty"`
	Value Node  `json:"value"`
}

// typeDef is schemas.TypeDef.
type typeDef struct {
	Type       string      `json:"type"`
	Underlying string      `json:"underlying,omitempty"`
	Fields     []typeField `json:"fields,omitempty"`
}

// typeField is schemas.TypeField.
type typeField struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Tag      string `json:"tag,omitempty"`
	Embedded bool   `json:"embedded,omitempty"`
}
