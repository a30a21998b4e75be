package designs

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
)

func designPlanCommand() *cobra.Command {
	var as cli.Choice
	var tables tablesFlag
	c := &cobra.Command{
		Use:   "plan FILE",
		Short: "Plan the tables of a design file, with the reasons",
		Long: "Plan the table of a design file, or each of its tables, with the reasons. A design with\n" +
			"\"from: plan.lock\" is planned from the table that is there, as \"kugiri design plan --format lock\"\n" +
			"wrote it: models keep their keys, and the plan prefers no change, then an attribute that is\n" +
			"backfilled, an index that is added, items that are written again, and a copy of all items last.\n" +
			"It says what the migration costs, and what others would.",
		Example: "  kugiri design plan design.yaml\n  kugiri design plan design.yaml --format create-table > table.json\n" +
			"  kugiri design plan design.yaml --format lock > plan.lock",
		Args: oneDesign,
		RunE: cli.Abandoned("nothing was planned", func(c *cobra.Command, args []string) error {
			plans, err := tables.plans(args[0])
			if err != nil {
				return err
			}
			out := c.OutOrStdout()
			switch as.Value {
			case "create-table":
				if len(plans) > 1 {
					return fmt.Errorf("%s: a CreateTable makes one table: say --table with one of %s",
						args[0], strings.Join(tableNames(plans), ", "))
				}
				return cli.WriteIndented(out, plans[0].CreateTable())
			case "json":
				if len(plans) > 1 {
					return cli.WriteIndented(out, struct{ Tables []*design.Plan }{plans})
				}
				return cli.WriteIndented(out, plans[0])
			case "lock":
				text, err := designfile.LockTables(plans)
				if err == nil {
					_, err = out.Write(text)
				}
				return err
			}
			_, err = io.WriteString(out, design.TablesMarkdown(plans))
			return err
		}),
	}
	as.Register(c.Flags(), "format", "markdown",
		"`format`: a page, the input of CreateTable, the plan as JSON, or the file from which later designs are planned",
		"markdown", "create-table", "json", "lock")
	tables.register(c.Flags())
	return c
}
