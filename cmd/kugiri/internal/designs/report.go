package designs

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/prices"
	"github.com/kugiri-db/kugiri/conventions/design"
)

func designReportCommand() *cobra.Command {
	var as cli.Choice
	var tables tablesFlag
	var priceFile string
	c := &cobra.Command{
		Use:   "report FILE",
		Short: "Say what a month of a planned table costs, and what other choices would cost",
		Long: "Say what a month costs by table, index and pattern, on demand and with provisioned capacity,\n" +
			"at the numbers and rates of the design file. Then what it would cost without each index, with\n" +
			"other projections, with other primary keys, and with a table for each model. Of a design of several\n" +
			"tables it also says what one table with all models would cost.",
		Example: "  kugiri design report design.yaml\n  kugiri design report design.yaml --format json",
		Args:    oneDesign,
		RunE: cli.Abandoned("nothing was reported", func(c *cobra.Command, args []string) error {
			plans, err := tables.plans(args[0])
			if err != nil {
				return err
			}
			with, err := prices.Read(priceFile)
			if err != nil {
				return err
			}
			report := design.ReportTables(plans, with)
			if as.Value == "json" && len(plans) == 1 {
				return cli.WriteIndented(c.OutOrStdout(), report.Tables[0])
			}
			if as.Value == "json" {
				return cli.WriteIndented(c.OutOrStdout(), report)
			}
			_, err = io.WriteString(c.OutOrStdout(), report.Markdown())
			return err
		}),
	}
	as.Register(c.Flags(), "format", "markdown", "`format`: a page, or JSON", "markdown", "json")
	c.Flags().StringVar(&priceFile, "prices", "",
		"JSON `file` with prices (default those of us-east-1; --format json shows the form)")
	tables.register(c.Flags())
	return c
}
