module app

go 1.25

require github.com/eaburns/flac v0.0.0-20171003200620-9a6fb92396d1

require github.com/eaburns/bit v0.0.0-20131029213740-7bd5cd37375d // indirect
