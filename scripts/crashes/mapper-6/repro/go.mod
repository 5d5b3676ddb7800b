module app

go 1.26

require github.com/devfeel/mapper v0.7.2
