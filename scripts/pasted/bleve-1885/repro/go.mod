module example.com/repro

go 1.25

require github.com/blevesearch/bleve/v2 v2.3.10

require (
	github.com/blevesearch/bleve_index_api v1.0.6 // indirect
	github.com/blevesearch/geo v0.1.18 // indirect
	github.com/blevesearch/upsidedown_store_api v1.0.2 // indirect
	github.com/golang/geo v0.0.0-20210211234256-740aa86cb551 // indirect
	github.com/golang/protobuf v1.3.2 // indirect
	github.com/json-iterator/go v0.0.0-20171115153421-f7279a603ede // indirect
	github.com/stretchr/testify v1.8.1 // indirect
)
