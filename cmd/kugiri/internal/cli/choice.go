package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// Choice is a flag that is one of some words.
type Choice struct {
	Value string   // one of Words, or "" before it is set
	Words []string // the words that may be given
}

// Register makes the flag. Its usage ends with the words.
func (o *Choice) Register(f *pflag.FlagSet, name, value, usage string, words ...string) {
	o.Value, o.Words = value, words
	f.Var(o, name, usage+": "+strings.Join(words, ", "))
}

// String implements pflag.Value.
func (o *Choice) String() string { return o.Value }

// Type implements pflag.Value.
func (o *Choice) Type() string { return "string" }

// Set implements pflag.Value.
func (o *Choice) Set(word string) error {
	if !slices.Contains(o.Words, word) {
		last := len(o.Words) - 1
		return errors.New("want " + strings.Join(o.Words[:last], ", ") + " or " + o.Words[last])
	}
	o.Value = word
	return nil
}
