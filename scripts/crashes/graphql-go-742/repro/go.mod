module app

go 1.26

require github.com/graphql-go/graphql v0.8.1
