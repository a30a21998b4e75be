package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// choice is a flag that is one of some words.
type choice struct {
	value string
	words []string
}

// register makes the flag. Its usage ends with the words.
func (o *choice) register(f *pflag.FlagSet, name, value, usage string, words ...string) {
	o.value, o.words = value, words
	f.Var(o, name, usage+": "+strings.Join(words, ", "))
}

// String implements pflag.Value.
func (o *choice) String() string { return o.value }

// Type implements pflag.Value.
func (o *choice) Type() string { return "string" }

// Set implements pflag.Value.
func (o *choice) Set(word string) error {
	if !slices.Contains(o.words, word) {
		last := len(o.words) - 1
		return errors.New("want " + strings.Join(o.words[:last], ", ") + " or " + o.words[last])
	}
	o.value = word
	return nil
}
