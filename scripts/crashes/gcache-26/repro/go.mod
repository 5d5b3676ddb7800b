module app

go 1.26

require github.com/bluele/gcache v0.0.0-20161212141904-d920a928be09
