module app

go 1.26

require github.com/derekparker/trie v0.0.0-20190805173922-4e1a77fb815d
