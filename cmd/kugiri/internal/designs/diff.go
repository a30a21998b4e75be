package designs

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
	"github.com/kugiri-db/kugiri/conventions/design/migrate"
	"github.com/kugiri-db/kugiri/emulator/proof"
)

func designDiffCommand() *cobra.Command {
	var format cli.ResultFormat
	var verify bool
	var o proof.Options
	c := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "List the steps that migrate a table from one design to another",
		Long: "List the steps that migrate a table from one design to another, while it is read and written:\n" +
			"what to write as well, what to backfill, indexes to create and delete, and when to switch reads.\n" +
			"A model that gets another primary key needs a new table.\n" +
			"With --verify each step is taken in an emulator of its own, with items of the old design, and\n" +
			"further ones are written after each step. All patterns in use have to work then. Each step is also\n" +
			"left out, or taken too early, and the verification has to notice.",
		Example: "  kugiri design diff old.yaml new.yaml\n  kugiri design diff plan.lock new.yaml\n  kugiri design diff old.yaml new.yaml --verify",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return cli.WithHelp(c,
					fmt.Errorf("want the old and the new design file, not %d arguments", len(args)))
			}
			return nil
		},
		RunE: cli.Abandoned("nothing was compared", func(c *cobra.Command, args []string) error {
			result, err := diffDesigns(args[0], args[1])
			if err != nil {
				return err
			}
			if verify {
				if err := result.verify(o); err != nil {
					return err
				}
			}
			if err := format.Print(c, result, result.text); err != nil {
				return err
			}
			return result.verdict()
		}),
	}
	c.Flags().BoolVar(&verify, "verify", false,
		"take the steps in an emulator, and read all patterns after each")
	c.Flags().Uint64Var(&o.Seed, "seed", 0,
		"seed of the items of --verify; the same seed gives the same ones")
	format.Register(c)
	return c
}

// designDiff is the result of "kugiri design diff".
type designDiff struct {
	Old      string `json:"old"`
	New      string `json:"new"`
	NewTable string `json:"newTable,omitempty"`
	Because  string `json:"because,omitempty"` // there is a new table
	Change   string `json:"change"`
	Price    string `json:"price"` // what the steps cost once
	// which items are larger while they have the attributes of both
	Larger    string                 `json:"larger,omitempty"`
	Steps     []diffStep             `json:"steps"`
	Report    *proof.MigrationReport `json:"report,omitempty"`
	Mutations []proof.Mutated        `json:"mutations,omitempty"`
	migration *migrate.Migration
}

// diffStep is a step as text, with the numbers of those that it comes after.
type diffStep struct {
	Step  string `json:"step"`
	After []int  `json:"after,omitempty"`
}

func diffDesigns(oldFile, newFile string) (*designDiff, error) {
	old, err := designfile.Existing(oldFile)
	if err != nil {
		return nil, err
	}
	plan, err := designfile.PlanFile(newFile)
	if err != nil {
		return nil, err
	}
	m, err := migrate.Diff(old, plan)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", newFile, err)
	}
	d := &designDiff{Old: oldFile, New: newFile, migration: m, Steps: []diffStep{},
		Change: m.Change().String(), Price: m.Price(design.ListPrices()).String(),
		Larger: migrate.LargerItems(m)}
	if m.NewTable {
		d.NewTable, d.Because = m.New.Design.Table, m.Because
	}
	for _, s := range m.Steps {
		step := diffStep{Step: s.String()}
		for _, i := range s.After {
			step.After = append(step.After, i+1)
		}
		d.Steps = append(d.Steps, step)
	}
	return d, nil
}

func (d *designDiff) verify(o proof.Options) (err error) {
	if d.Report, err = proof.VerifyMigration(d.migration, o); err != nil {
		return fmt.Errorf("%s: %w", d.Old, err)
	}
	d.Mutations, err = proof.MutateMigration(d.migration, o)
	return err
}

func (d *designDiff) text(out io.Writer) error {
	if len(d.Steps) == 0 {
		_, err := fmt.Fprintln(out, "nothing to do: the table stays as it is")
		return err
	}
	style := terminal.StyleOf(out)
	if _, err := fmt.Fprintf(out, "%s, %s\n", d.Change, d.Price); err != nil {
		return err
	}
	if d.NewTable != "" {
		if _, err := fmt.Fprintf(out, "all items are copied to a new table, %s: %s\n", d.NewTable,
			d.Because); err != nil {
			return err
		}
	}
	if d.Larger != "" {
		if _, err := fmt.Fprintln(out, d.Larger); err != nil {
			return err
		}
	}
	for i, s := range d.Steps {
		verdict := ""
		if d.Report != nil {
			verdict = d.stepVerdict(i, style)
		}
		if _, err := fmt.Fprintf(out, "%d. %s%s\n", i+1, s.Step, verdict); err != nil {
			return err
		}
	}
	return d.mutationsText(out, style)
}

// stepVerdict says how the patterns are after a step.
func (d *designDiff) stepVerdict(i int, style terminal.Style) string {
	if i >= len(d.Report.Steps) {
		return ": not reached"
	}
	s := d.Report.Steps[i]
	if len(s.Failures) > 0 {
		return ": " + style.Red("fails: "+s.Failures[0])
	}
	return ": " + style.Green(fmt.Sprintf("%d patterns hold", s.Patterns))
}

func (d *designDiff) mutationsText(out io.Writer, style terminal.Style) error {
	for _, m := range d.Mutations {
		verdict := style.Green("noticed")
		if m.Found == "" {
			verdict = style.Red("not noticed")
		}
		if _, err := fmt.Fprintf(out, "%s: %s\n", verdict, m.Name); err != nil {
			return err
		}
	}
	return nil
}

// verdict is an error if a step breaks a pattern, or a mistake was not noticed.
func (d *designDiff) verdict() error {
	if d.Report == nil {
		return nil
	}
	if !d.Report.OK() {
		return fmt.Errorf("%s: the steps do not lead to it: %s", d.New, d.Report.FirstFailure())
	}
	for _, m := range d.Mutations {
		if m.Found == "" {
			return fmt.Errorf("%s: the verification does not notice: %s", d.New, m.Name)
		}
	}
	return nil
}
