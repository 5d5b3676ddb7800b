module app

go 1.25

require github.com/dlclark/regexp2 v1.11.0
