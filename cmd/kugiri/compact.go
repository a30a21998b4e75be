package main

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/storage/disk"
)

func compactCommand() *cobra.Command {
	var dir string
	c := &cobra.Command{
		Use:   "compact --data-dir DIRECTORY",
		Short: "Shorten the files of a data directory that no server uses",
		Long: "Verifies a data directory and writes its tables anew, without the room that deleted data\n" +
			"has left. If it is stopped before the end, the directory is as good as before.\n" +
			"\"kugiri serve\" does the same at its start, if half of the tables or more is free, and 32 MB.",
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if dir == "" {
				return withHelp(c, errors.New("name the directory with --data-dir"))
			}
			logger := slog.New(slog.NewTextHandler(c.ErrOrStderr(), nil))
			before, after, err := disk.Compact(dir, disk.Options{Logger: logger})
			if err != nil {
				return fmt.Errorf("data-dir: %w", notAllowed(err))
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "tables in %s: %d bytes before, %d bytes now\n", dir, before, after)
			return err
		},
	}
	c.Flags().StringVar(&dir, "data-dir", "", "`directory` of a server that is stopped")
	return c
}
