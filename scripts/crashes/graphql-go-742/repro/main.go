package main

import (
	"fmt"

	"github.com/graphql-go/graphql"
)

func main() {
	dog := graphql.NewObject(graphql.ObjectConfig{
		Name:   "Dog",
		Fields: graphql.Fields{"name": &graphql.Field{Type: graphql.String}},
	})
	schema, err := graphql.NewSchema(graphql.SchemaConfig{Query: dog})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := graphql.Do(graphql.Params{
		Schema:        schema,
		RequestString: "fragment A on Dog { ...B } fragment B on Dog { ...A } { ...A }",
	})
	fmt.Println(r.Errors)
}
