//go:build ignore

package errors

import "dsd"

func New(text string) error {
	err := dsd.Any[error]()
	dsd.Assume(err != nil)
	return err
}
func Is(err, target error) bool {
	if err == nil || target == nil {
		return err == target
	}
	if err == target {
		return true
	}
	return dsd.Any[bool]()
}
func As(err error, target any) bool {
	if err == nil {
		return false
	}
	return dsd.Any[bool]()
}
func Unwrap(err error) error { return dsd.Any[error]() }
func Join(errs ...error) error {
	err := dsd.Any[error]()
	if len(errs) == 0 {
		return nil
	}
	if errs[0] != nil {
		dsd.Assume(err != nil)
	}
	return err
}
