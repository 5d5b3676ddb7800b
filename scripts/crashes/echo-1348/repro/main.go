package main

import (
	"fmt"
	"net/http/httptest"

	"github.com/labstack/echo/v4"
)

func main() {
	h := func(c echo.Context) error { return c.String(200, c.Param("id")) }
	e := echo.New()
	e.GET("/foo/:id/aaa", h)
	e.GET("/foo/:id/bbb", h)
	w := httptest.NewRecorder()
	e.ServeHTTP(w, httptest.NewRequest("GET", "/foo/1234/a", nil))
	fmt.Println(w.Code)
}
