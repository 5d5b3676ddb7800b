//go:build ignore

package http

import (
	"context"
	"io"
	"net/http"

	"dsd"
)

// requested returns an error, or a request with an address and a header.
func requested() (*http.Request, error) {
	r, err := dsd.Any[*http.Request](), dsd.Any[error]()
	dsd.Assume((err == nil) == (r != nil))
	dsd.Assume(r == nil || r.URL != nil && r.Header != nil)
	return r, err
}
func NewRequest(method, url string, body io.Reader) (*http.Request, error) { return requested() }
func NewRequestWithContext(ctx context.Context, method, url string, body io.Reader) (*http.Request, error) {
	return requested()
}
