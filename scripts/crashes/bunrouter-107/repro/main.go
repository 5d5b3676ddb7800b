package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/uptrace/bunrouter"
)

func main() {
	r := bunrouter.New()
	r.GET("/users/:id", func(w http.ResponseWriter, req bunrouter.Request) error {
		return nil
	})
	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/users/%00", nil))
	fmt.Println(w.Code)
}
