package designs

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
)

// oneDesign refuses a command line that does not name one design file.
func oneDesign(c *cobra.Command, args []string) error {
	if len(args) != 1 {
		return cli.WithHelp(c, fmt.Errorf("want one design file, not %d arguments", len(args)))
	}
	return nil
}
