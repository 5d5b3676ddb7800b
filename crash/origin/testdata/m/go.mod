module example.com/m

go 1.22

require example.com/dep v1.2.0

replace example.com/dep v1.2.0 => ../dep
