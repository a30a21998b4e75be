package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/version"
)

func versionCommand() *cobra.Command {
	var format cli.ResultFormat
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit and its date",
		Args:  cli.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			return format.Print(c, version.This(), func(io.Writer) error { return sayVersion(c) })
		},
	}
	format.Register(c)
	return c
}

func sayVersion(c *cobra.Command) error {
	_, err := fmt.Fprintln(c.OutOrStdout(), "kugiri", version.This())
	return err
}
