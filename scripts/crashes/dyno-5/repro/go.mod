module app

go 1.26

require github.com/icza/dyno v0.0.0-20230330125955-09f820a8d9c0
