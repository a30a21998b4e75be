package designs

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/progress"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
	"github.com/kugiri-db/kugiri/emulator/proof"
)

func designLoadCommand() *cobra.Command {
	var format cli.ResultFormat
	var o proof.LoadOptions
	var tables tablesFlag
	c := &cobra.Command{
		Use:   "load FILE",
		Short: "Send requests at the design's rates, and report hot partition keys and throttled requests",
		Long: "Load generated items into the planned table, and send the requests of all patterns and the writes\n" +
			"of all models at the design's rates, with the limits of partitions. The emulator's clock makes\n" +
			"the seconds, so they take less time. Of several tables one is loaded after the other. The command\n" +
			"fails if requests are throttled.",
		Example: "  kugiri design load design.yaml --zipf 1.1",
		Args:    oneDesign,
		RunE: cli.Abandoned("nothing was measured", func(c *cobra.Command, args []string) error {
			if o.Rows < 1 || o.Seconds < 1 {
				return errors.New("--items and --seconds are at least 1")
			}
			plans, err := tables.plans(args[0])
			if err != nil {
				return err
			}
			all := tableLoads{}
			for _, plan := range plans {
				bar := progress.New(c.ErrOrStderr(), "loading "+plan.Design.Table, o.Rows)
				o.Progress = bar.Add
				report, err := proof.Load(plan, o)
				bar.Done()
				if err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				all.Tables = append(all.Tables, tableLoad{plan.Design.Table, report})
			}
			var result any = all
			if len(plans) == 1 {
				result = all.Tables[0].LoadReport
			}
			if err := format.Print(c, result, all.text); err != nil {
				return err
			}
			for _, one := range all.Tables {
				if !one.OK() {
					return fmt.Errorf("%s: requests are throttled", args[0])
				}
			}
			return nil
		}),
	}
	c.Flags().Int64Var(&o.Rows, "items", proof.DefaultRows,
		"how many items to load, of all models in proportion, but of each 1,000 if it has as many")
	c.Flags().IntVar(&o.Seconds, "seconds", proof.DefaultSeconds,
		"for how long to send requests, on the emulator's clock")
	c.Flags().Float64Var(&o.Zipf, "zipf", 0,
		"`exponent` above 1 of Zipf's law, by which some keys are more frequent; 0 is no difference")
	c.Flags().Uint64Var(&o.Seed, "seed", 0,
		"seed of the items and requests; the same seed gives the same ones")
	tables.register(c.Flags())
	format.Register(c)
	return c
}

// tableLoads are the results of the loads of several tables.
type tableLoads struct{ Tables []tableLoad }

type tableLoad struct {
	Table string
	*proof.LoadReport
}

func (t tableLoads) text(out io.Writer) error {
	for _, one := range t.Tables {
		if len(t.Tables) > 1 {
			if _, err := fmt.Fprintf(out, "table %s\n", one.Table); err != nil {
				return err
			}
		}
		if err := loadText(out, one.LoadReport); err != nil {
			return err
		}
	}
	return nil
}

func loadText(out io.Writer, r *proof.LoadReport) error {
	style := terminal.StyleOf(out)
	var b strings.Builder
	results := func(kind string, all []proof.LoadResult) {
		for _, l := range all {
			if l.Requests == 0 {
				continue
			}
			verdict := style.Green("served")
			if l.Throttled > 0 {
				verdict = style.Red("throttled")
			}
			fmt.Fprintf(&b, "%s: %s%s, %d of %d requests throttled", verdict, kind, l.Name,
				l.Throttled, l.Requests)
			for _, by := range slices.Sorted(maps.Keys(l.ThrottledBy)) {
				fmt.Fprintf(&b, ", %d by %s", l.ThrottledBy[by], by)
			}
			b.WriteByte('\n')
		}
	}
	results("", r.Patterns)
	results("writes of ", r.Writes)
	for _, h := range r.Hot {
		kind := "read"
		if h.Write {
			kind = "write"
		}
		fmt.Fprintf(&b, "%s %s: %.0f %s units in a second, of %.0f\n", h.Where, h.Key, h.Units,
			kind, h.Limit)
	}
	if b.Len() == 0 {
		b.WriteString(
			"the design has no rates: give patterns a rate, and models puts and updates\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}
