module app

go 1.26

require github.com/pelletier/go-toml v1.9.4
