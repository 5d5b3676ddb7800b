module app

go 1.25

require github.com/hajimehoshi/go-mp3 v0.3.2
