package format

import (
	"encoding/json"
	"io"
)

// writeJSONLines writes each warning or crash as an object on a line, as the document has it.
func writeJSONLines(w io.Writer, r *Report) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for _, o := range r.Objects {
		if err := e.Encode(o); err != nil {
			return err
		}
	}
	return nil
}
