module example.com/repro

go 1.25

require github.com/pd0mz/go-aprs v0.0.0-20190904192146-34d6aa54791a

require github.com/pd0mz/go-maidenhead v1.0.0 // indirect
