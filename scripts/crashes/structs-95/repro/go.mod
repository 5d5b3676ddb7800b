module app

go 1.26

require github.com/fatih/structs v1.1.0
