package schemas

// Directive is a comment in the source by which warnings and crashes are ignored.
type Directive struct {
	Pos string `json:"pos"`
	// Text is the comment.
	Text   string `json:"text"`
	Reason string `json:"reason,omitempty"`
	// Problem is why the directive has no effect, "" if it may have.
	Problem string `json:"problem,omitempty"`
	// Functions counts the functions that it is in or, for a file, about, and Analyzed those of them that were
	// analyzed: only if all were, nothing matches a directive without matches.
	Functions int `json:"functions"`
	Analyzed  int `json:"analyzed"`
	// Matches counts the warnings that it is about.
	Matches int `json:"matches"`
}
