module app

go 1.25

require gonum.org/v1/gonum v0.7.0
