package main

import (
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/storage/disk"
)

func compactCommand() *cobra.Command {
	return dataDirCommand(&cobra.Command{
		Use:   "compact --data-dir DIRECTORY",
		Short: "Shorten the files of a data directory that no server uses",
		Long: `Verifies a data directory and writes its tables anew, without the room that deleted data
has left. If it is stopped before the end, the directory is as good as before.
"kugiri serve" does the same at its start, if half of the tables or more is free, and 32 MB.

The exit status is 0, or 2 for errors, as with a directory that is damaged.`,
		Example: "  kugiri compact --data-dir ./data",
	}, func(c *cobra.Command, dir string) error {
		logger := slog.New(slog.NewTextHandler(c.ErrOrStderr(), nil))
		before, after, err := disk.Compact(dir, disk.Options{Logger: logger})
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(c.OutOrStdout(), "tables in %s: %d bytes before, %d bytes now\n", dir, before, after)
		return err
	})
}
