package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/gin-gonic/gin"
)

func main() {
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.RedirectFixedPath = true
	r.GET("/aa/aa", func(c *gin.Context) { c.String(http.StatusOK, "/aa/aa") })
	r.GET("/:bb/aa", func(c *gin.Context) { c.String(http.StatusOK, "/:bb/aa") })
	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest("GET", "/aa", nil))
	fmt.Println(w.Code)
}
