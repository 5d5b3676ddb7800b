module app

go 1.25

require github.com/shopspring/decimal v1.3.1
