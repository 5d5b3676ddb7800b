//go:build linux && !amd64 && !arm64

package confine

var calls *table
