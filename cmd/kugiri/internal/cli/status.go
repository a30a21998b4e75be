package cli

import "errors"

// exitFindings is the exit status of a command that found what it looks for.
const exitFindings = 1

// ExitFailure is the exit status for errors of the command line, and for all errors of a command
// that has another one for findings.
const ExitFailure = 2

// exitError is an error that has an exit status of its own.
type exitError struct {
	status int
	err    error
}

func (e *exitError) Error() string { return e.err.Error() }

func (e *exitError) Unwrap() error { return e.err }

// ExitStatus returns the status with which kugiri exits after an error: 1 unless the error says
// otherwise.
func ExitStatus(err error) int {
	var own *exitError
	if errors.As(err, &own) {
		return own.status
	}
	return 1
}

// Findings gives an error the exit status of a command that found what it looks for, which is 1.
func Findings(err error) error { return &exitError{exitFindings, err} }

// Failure gives an error without an exit status ExitFailure. It is for errors of the command line,
// and for those of commands whose findings have a status of their own.
func Failure(err error) error {
	var own *exitError
	if err == nil || errors.As(err, &own) {
		return err
	}
	return &exitError{ExitFailure, err}
}
