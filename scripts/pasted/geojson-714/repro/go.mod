module app

go 1.25

require github.com/tidwall/geojson v1.4.3

require (
	github.com/tidwall/geoindex v1.4.4 // indirect
	github.com/tidwall/gjson v1.12.1 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.0 // indirect
	github.com/tidwall/rtree v1.3.1 // indirect
	github.com/tidwall/sjson v1.2.4 // indirect
)
