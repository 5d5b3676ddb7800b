module app

go 1.25

require github.com/ledongthuc/pdf v0.0.0-20200323191019-23c5852adbd2
