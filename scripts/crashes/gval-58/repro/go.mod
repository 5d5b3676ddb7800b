module app

go 1.26

require github.com/PaesslerAG/gval v1.0.0
