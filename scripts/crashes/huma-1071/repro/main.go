package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

type output struct {
	Body any
}

func main() {
	mux := http.NewServeMux()
	api := humago.New(mux, huma.DefaultConfig("app", "1.0.0"))
	huma.Get(api, "/optional", func(context.Context, *struct{}) (*output, error) {
		return &output{}, nil
	})
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest("GET", "/optional", nil))
	fmt.Println(w.Code)
}
