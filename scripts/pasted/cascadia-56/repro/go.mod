module app

go 1.25

require github.com/andybalholm/cascadia v1.3.1

require golang.org/x/net v0.0.0-20210916014120-12bc252f5db8 // indirect
