//go:build linux && !amd64 && !arm64

package confine

// processor is nil: there is no table of system calls for this processor.
var processor *callTable

var callNames map[int32]string
