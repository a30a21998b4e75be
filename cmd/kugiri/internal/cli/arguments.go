package cli

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// NoArguments is for commands that take only flags, or one of the commands below them.
func NoArguments(c *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case c.Flags().Lookup("table") != nil:
		return WithHelp(c,
			fmt.Errorf("unknown argument %q: did you mean --table %s?", args[0], args[0]))
	case !c.HasAvailableSubCommands():
		return WithHelp(c, fmt.Errorf("unknown argument %q", args[0]))
	}
	return WithHelp(c, DidYouMean(fmt.Errorf("unknown command %q", args[0]), "", args[0],
		commandNames(c)))
}

// WithHelp adds to an error of the command line where to look, and gives it the exit status of such
// errors.
func WithHelp(c *cobra.Command, err error) error {
	return Failure(fmt.Errorf("%w (see %q)", err, c.CommandPath()+" --help"))
}

// FlagFailure is FlagError for a command whose findings have an exit status of their own.
func FlagFailure(c *cobra.Command, err error) error { return Failure(FlagError(c, err)) }

// FlagError is an error of the command line, in the words of those of other settings.
func FlagError(c *cobra.Command, err error) error {
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		err = fmt.Errorf("--%s is %q: %w", invalid.GetFlag().Name, invalid.GetValue(), Cause(err))
	}
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok &&
		unknown.GetSpecifiedShortnames() == "" {
		err = DidYouMean(err, "--", unknown.GetSpecifiedName(), FlagNames(c.Flags()))
	}
	return WithHelp(c, err)
}

// Cause returns the error in a value, without what pflag and strconv say around it.
func Cause(err error) error {
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		err = invalid.Unwrap()
	}
	number, ok := errors.AsType[*strconv.NumError](err)
	switch {
	case !ok:
		return err
	case errors.Is(number.Err, strconv.ErrRange):
		return number.Err
	case number.Func == "ParseBool":
		return errors.New("want true or false")
	}
	return errors.New("want a whole number")
}
