module app

go 1.26

require github.com/gophercloud/gophercloud v1.7.0
