// Package settings fills the flags of a command from the environment and a config file.
//
// github.com/spf13/viper was rejected: it takes keys in any case, and ignores those that no flag
// has. A setting that is misspelt must be an error here.
package settings
