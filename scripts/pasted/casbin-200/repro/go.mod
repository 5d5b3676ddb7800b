module app

go 1.25

require github.com/casbin/casbin v1.8.0

require github.com/Knetic/govaluate v3.0.1-0.20171022003610-9aa49832a739+incompatible // indirect
