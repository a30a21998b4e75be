// Package settings fills the flags of a command from the environment and a config file.
package settings
