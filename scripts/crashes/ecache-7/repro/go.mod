module app

go 1.26

require github.com/orca-zhang/ecache v1.1.0
