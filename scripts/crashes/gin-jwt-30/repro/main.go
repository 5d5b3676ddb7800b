package main

import (
	"fmt"
	"net/http/httptest"

	jwt "github.com/appleboy/gin-jwt/v2"
	"github.com/gin-gonic/gin"
	jwtgo "github.com/golang-jwt/jwt/v4"
)

func main() {
	mw, err := jwt.New(&jwt.GinJWTMiddleware{Realm: "zone", Key: []byte("secret")})
	if err != nil {
		fmt.Println(err)
		return
	}
	token, err := jwtgo.NewWithClaims(jwtgo.SigningMethodHS256, jwtgo.MapClaims{"id": "admin"}).SignedString([]byte("secret"))
	if err != nil {
		fmt.Println(err)
		return
	}
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.GET("/refresh_token", mw.RefreshHandler)
	req := httptest.NewRequest("GET", "/refresh_token", nil)
	req.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	r.ServeHTTP(w, req)
	fmt.Println(w.Code)
}
