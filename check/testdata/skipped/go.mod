module skipped

go 1.23
