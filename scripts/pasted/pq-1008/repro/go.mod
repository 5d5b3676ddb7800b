module app

go 1.25

require github.com/lib/pq v1.10.9
