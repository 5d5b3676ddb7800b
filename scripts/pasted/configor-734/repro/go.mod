module example.com/repro

go 1.25

require github.com/jinzhu/configor v1.2.2

require (
	github.com/BurntSushi/toml v1.2.0 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)
