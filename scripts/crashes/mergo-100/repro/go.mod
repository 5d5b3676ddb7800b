module app

go 1.26

require github.com/imdario/mergo v0.3.8

require (
	github.com/stretchr/testify v1.12.1 // indirect
	gopkg.in/yaml.v2 v2.4.0 // indirect
)
