module app

go 1.25

require github.com/Masterminds/sprig v2.16.0+incompatible

require (
	github.com/Masterminds/semver v1.4.2 // indirect
	github.com/aokoli/goutils v1.0.1 // indirect
	github.com/google/uuid v1.0.0 // indirect
	github.com/huandu/xstrings v1.2.0 // indirect
	github.com/imdario/mergo v0.3.6 // indirect
	github.com/stretchr/testify v1.12.1 // indirect
	golang.org/x/crypto v0.0.0-20190308221718-c2843e01d9a2 // indirect
	gopkg.in/yaml.v2 v2.4.0 // indirect
)
