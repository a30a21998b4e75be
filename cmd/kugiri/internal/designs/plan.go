package designs

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

func designPlanCommand() *cobra.Command {
	var as cli.Choice
	c := &cobra.Command{
		Use:     "plan FILE",
		Short:   "Plan the table of a design file, with the reasons",
		Example: "  kugiri design plan design.yaml\n  kugiri design plan design.yaml --format create-table > table.json",
		Args:    oneDesign,
		RunE: cli.Abandoned("nothing was planned", func(c *cobra.Command, args []string) error {
			plan, err := designfile.PlanFile(args[0])
			if err != nil {
				return err
			}
			out := c.OutOrStdout()
			switch as.Value {
			case "create-table":
				return cli.WriteIndented(out, plan.CreateTable())
			case "json":
				return cli.WriteIndented(out, plan)
			}
			_, err = io.WriteString(out, plan.Markdown())
			return err
		}),
	}
	as.Register(c.Flags(), "format", "markdown",
		"`format`: a page, the input of CreateTable, or the plan as JSON", "markdown",
		"create-table", "json")
	return c
}
