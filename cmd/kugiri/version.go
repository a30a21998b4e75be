package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArguments,
		RunE:  func(c *cobra.Command, _ []string) error { return sayVersion(c) },
	}
}

func sayVersion(c *cobra.Command) error {
	_, err := fmt.Fprintln(c.OutOrStdout(), "kugiri", version())
	return err
}

// version is the module's, as the go command recorded it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(unknown)"
}
