module app

go 1.25

require mvdan.cc/sh/v3 v3.5.1
