package designs

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/forks"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/progress"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/emulator/proof"
)

func designVerifyCommand() *cobra.Command {
	var format cli.ResultFormat
	var o proof.Options
	var tables tablesFlag
	var forks forks.Source
	c := &cobra.Command{
		Use:   "verify FILE",
		Short: "Load generated items into the planned table, and prove that each pattern finds exactly its own",
		Long: "Load generated items into the planned table, in an emulator of its own, and read every pattern.\n" +
			"A pattern holds if its requests find exactly the items of the model that it means, in its order.\n" +
			"Then undo each decision of the plan, one at a time: a verification that does not notice proves nothing.\n" +
			"Of a design of several tables each is verified by itself: no write is about two of them.\n" +
			"With --endpoint all of it happens on forks of a running server, under its policy and settings. The\n" +
			"tables of the server stay as they are, and the forks are removed at the end.",
		Example: "  kugiri design verify design.yaml --items 1000000\n  kugiri design verify design.yaml --endpoint http://localhost:8000",
		Args:    oneDesign,
		RunE: cli.Abandoned("nothing was verified", func(c *cobra.Command, args []string) error {
			plans, err := tables.plans(args[0])
			if err != nil {
				return err
			}
			all := designResults{}
			for _, plan := range plans {
				if err := forks.Connect(c.Context(), plan.Design.Table); err != nil {
					return err
				}
				if forks.URL != "" {
					o.Open = forks.Open
				}
				bar := progress.New(c.ErrOrStderr(), "loading "+plan.Design.Table, o.Rows)
				o.Progress = bar.Add
				result, err := verifyDesign(args[0], plan, o)
				bar.Done()
				if err != nil {
					return err
				}
				result.On = forks.Where()
				if len(plans) > 1 {
					result.Table = plan.Design.Table
				}
				all.Tables = append(all.Tables, result)
			}
			var result any = all
			if len(plans) == 1 {
				result = all.Tables[0]
			}
			if err := format.Print(c, result, all.text); err != nil {
				return err
			}
			return all.verdict()
		}),
	}
	forks.Flags(c)
	c.Flags().Int64Var(&o.Rows, "items", proof.DefaultRows,
		"how many items to load, of all models in proportion")
	c.Flags().IntVar(&o.Requests, "requests", proof.DefaultRequests,
		"how many requests of each pattern to send")
	c.Flags().Uint64Var(&o.Seed, "seed", 0,
		"seed of the items and requests; the same seed gives the same ones")
	tables.register(c.Flags())
	format.Register(c)
	return c
}

// designResults are the results for the tables of a design.
type designResults struct {
	Tables []*designResult `json:"tables"`
}

func (r designResults) text(out io.Writer) error {
	for _, one := range r.Tables {
		if err := one.text(out); err != nil {
			return err
		}
	}
	return nil
}

// verdict is the first error of a table.
func (r designResults) verdict() error {
	for _, one := range r.Tables {
		if err := one.verdict(); err != nil {
			return err
		}
	}
	return nil
}

// designResult is the result of "kugiri design verify".
type designResult struct {
	File      string          `json:"file"`
	Table     string          `json:"table,omitempty"` // the one of several that was verified
	On        string          `json:"on"`              // what the table was made on
	Report    *proof.Report   `json:"report"`
	Mutations []proof.Mutated `json:"mutations"`
}

// verifyDesign verifies a plan with all items, and its mutations with the default number.
func verifyDesign(file string, plan *design.Plan, o proof.Options) (*designResult, error) {
	if o.Rows < 1 || o.Requests < 1 {
		return nil, errors.New("--items and --requests are at least 1")
	}
	report, err := proof.Verify(plan, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	o.Rows, o.Progress = min(o.Rows, proof.DefaultRows), nil
	mutations, err := proof.Mutate(plan, o)
	return &designResult{File: file, Report: report, Mutations: mutations}, err
}

func (r *designResult) text(out io.Writer) error {
	style := terminal.StyleOf(out)
	print := func(format string, args ...any) error {
		_, err := fmt.Fprintf(out, format, args...)
		return err
	}
	var items int64
	for _, n := range r.Report.Rows {
		items += n
	}
	of := ""
	if r.Table != "" {
		of = "table " + r.Table + ", "
	}
	if err := print("%son %s, with %d items\n", of, r.On, items); err != nil {
		return err
	}
	held := func(failures []string, format string, args ...any) error {
		verdict := style.Green("holds")
		if len(failures) > 0 {
			verdict = style.Red("fails")
		}
		if err := print("%s: %s\n", verdict, fmt.Sprintf(format, args...)); err != nil {
			return err
		}
		for _, failure := range failures {
			if err := print("  %s\n", failure); err != nil {
				return err
			}
		}
		return nil
	}
	for _, p := range r.Report.Patterns {
		if err := held(p.Failures, "%s (%d requests, %d items, %g of %g planned RCU): %s",
			p.Name, p.Requests, p.Items, p.ReadUnits, p.Planned, p.Query); err != nil {
			return err
		}
	}
	for _, w := range r.Report.Writes {
		if err := held(w.Failures, "%s (two at a time, %d orders): %s", w.Name, w.Orders,
			w.Requests); err != nil {
			return err
		}
		for _, untried := range w.Untried {
			if err := print("  not all orders: %s\n", untried); err != nil {
				return err
			}
		}
	}
	for _, failure := range r.Report.Failures {
		if err := print("%s: %s\n", style.Red("fails"), failure); err != nil {
			return err
		}
	}
	for _, m := range r.Mutations {
		verdict := style.Green("noticed")
		if m.Found == "" {
			verdict = style.Red("not noticed")
		}
		if err := print("%s: %s\n", verdict, m.Name); err != nil {
			return err
		}
	}
	return nil
}

// verdict is an error if a pattern fails, or a mutation was not noticed.
func (r *designResult) verdict() error {
	if !r.Report.OK() {
		return fmt.Errorf("%s: the table does not serve all patterns", r.File)
	}
	for _, m := range r.Mutations {
		if m.Found == "" {
			return fmt.Errorf("%s: the verification does not notice that %s", r.File, m.Name)
		}
	}
	return nil
}
