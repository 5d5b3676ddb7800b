package main

import (
	"errors"
	"fmt"

	"github.com/getsentry/sentry-go"
)

type invalid []string

func (e invalid) Error() string { return fmt.Sprint(len(e), " invalid fields") }

type wrapped struct{ error }

func (w wrapped) Unwrap() error { return w.error }

func main() {
	e := sentry.NewEvent()
	e.SetException(errors.Join(wrapped{invalid{"name"}}), 10)
	fmt.Println(len(e.Exception))
}
