module app

go 1.26

require github.com/lnquy/cron v1.1.1
