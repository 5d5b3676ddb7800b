module app

go 1.26

require github.com/nwaples/rardecode/v2 v2.2.2
