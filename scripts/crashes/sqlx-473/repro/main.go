package main

import (
	"fmt"

	"github.com/jmoiron/sqlx"
)

func main() {
	fmt.Println(sqlx.In("SELECT * FROM t WHERE a = ? AND id IN (?)", nil, []int{1, 2}))
}
