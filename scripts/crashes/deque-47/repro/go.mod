module app

go 1.26

require github.com/gammazero/deque v1.2.0
