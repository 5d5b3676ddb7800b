module example.com/repro

go 1.25

require github.com/andybalholm/brotli v1.0.1-0.20200619015827-c3da72aa01ed
