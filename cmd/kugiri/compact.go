package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/datadir"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/logs"
	"github.com/kugiri-db/kugiri/storage/disk"
)

func compactCommand() *cobra.Command {
	return datadir.Command(&cobra.Command{
		Use:   "compact --data-dir DIRECTORY",
		Short: "Shorten the files of a data directory that no server uses",
		Long: `Verifies a data directory and writes its tables anew, without the room that deleted data
has left. If it is stopped before the end, the directory is as good as before.
"kugiri serve" does the same at its start, if half of the tables or more is free, and 32 MB.

The exit status is 0, or 2 for errors, as with a directory that is damaged.`,
		Example: "  kugiri compact --data-dir ./data",
	}, func(c *cobra.Command, dir string, format *cli.ResultFormat) error {
		logger, flush := logs.ForClients().Open(c.ErrOrStderr())
		defer flush()
		before, after, err := disk.Compact(dir, disk.Options{Logger: logger})
		if err != nil {
			return err
		}
		result := map[string]any{"directory": dir, "bytesBefore": before, "bytesNow": after}
		return format.Print(c, result, func(out io.Writer) error {
			_, err := fmt.Fprintf(out, "tables in %s: %d bytes before, %d bytes now\n", dir, before,
				after)
			return err
		})
	})
}
