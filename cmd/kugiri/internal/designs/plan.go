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
		Use:   "plan FILE",
		Short: "Plan the table of a design file, with the reasons",
		Long: "Plan the table of a design file, with the reasons. A design with \"from: plan.lock\" is planned from the\n" +
			"table that is there, as \"kugiri design plan --format lock\" wrote it: models keep their keys, and the plan\n" +
			"prefers no change, then an attribute that is backfilled, an index that is added, items that are written\n" +
			"again, and a copy of all items last. It says what the migration costs, and what others would.",
		Example: "  kugiri design plan design.yaml\n  kugiri design plan design.yaml --format create-table > table.json\n" +
			"  kugiri design plan design.yaml --format lock > plan.lock",
		Args: oneDesign,
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
			case "lock":
				text, err := designfile.Lock(plan)
				if err == nil {
					_, err = out.Write(text)
				}
				return err
			}
			_, err = io.WriteString(out, plan.Markdown())
			return err
		}),
	}
	as.Register(c.Flags(), "format", "markdown",
		"`format`: a page, the input of CreateTable, the plan as JSON, or the file from which later designs are planned",
		"markdown", "create-table", "json", "lock")
	return c
}
