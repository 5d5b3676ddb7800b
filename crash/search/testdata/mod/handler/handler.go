// Package handler answers requests.
package handler

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

// Order is decoded from the body of a request.
type Order struct {
	Buyer string   `json:"buyer"`
	Items []string `json:"items"`
	Paid  *struct {
		Cents int64     `json:"cents"`
		At    time.Time `json:"at"`
	} `json:"paid"`
	Notes  map[string][]byte `json:"notes,omitempty"`
	Count  map[int]bool      `json:"count,omitempty"`
	Secret string            `json:"-"`
}

func Serve(w http.ResponseWriter, r *http.Request) {
	var o Order
	path := strings.Split(r.URL.Path, "/")
	if path[1] != "orders" || r.Header.Get("X-Shop") == "" || json.NewDecoder(r.Body).Decode(&o) != nil || o.Buyer == "" {
		http.Error(w, "no order", http.StatusBadRequest)
		return
	}
	w.Write([]byte(o.Items[len(o.Items)-1]))
}
