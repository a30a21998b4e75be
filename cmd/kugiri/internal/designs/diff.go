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
			all, err := diffDesigns(args[0], args[1])
			if err != nil {
				return err
			}
			for _, d := range all.Tables {
				if verify {
					if err := d.verify(o); err != nil {
						return err
					}
				}
			}
			if err := format.Print(c, all.result(), all.text); err != nil {
				return err
			}
			return all.verdict()
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
	Table    string `json:"table,omitempty"` // the one of several that is compared
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

// designDiffs are the migrations of the tables of two designs.
type designDiffs struct {
	Tables  []*designDiff `json:"tables"`
	Created []string      `json:"created,omitempty"` // tables that only the new design has
	Left    []string      `json:"left,omitempty"`    // tables that only the old one has
	several bool
	file    string // the new design
}

// diffDesigns compares the tables with one name. If both designs have one table, that is the same
// one.
func diffDesigns(oldFile, newFile string) (*designDiffs, error) {
	old, err := designfile.ExistingTables(oldFile)
	if err != nil {
		return nil, err
	}
	plans, err := designfile.TablesFile(newFile)
	if err != nil {
		return nil, err
	}
	all := &designDiffs{several: len(old)+len(plans) > 2, file: newFile}
	if !all.several {
		d, err := diffTable(oldFile, newFile, old[0], plans[0])
		all.Tables = []*designDiff{d}
		return all, err
	}
	for _, plan := range plans {
		was := tableNamed(old, plan.Design.Table)
		if err := movedModel(old, plan); err != nil {
			return nil, fmt.Errorf("%s: %w", newFile, err)
		}
		if was == nil {
			all.Created = append(all.Created, plan.Design.Table)
			continue
		}
		d, err := diffTable(oldFile, newFile, was, plan)
		if err != nil {
			return nil, err
		}
		d.Table = plan.Design.Table
		all.Tables = append(all.Tables, d)
	}
	for _, was := range old {
		if tableNamed(plans, was.Design.Table) == nil {
			all.Left = append(all.Left, was.Design.Table)
		}
	}
	return all, nil
}

// tableNamed returns the plan of a table, or nil.
func tableNamed(all []*design.Plan, table string) *design.Plan {
	for _, p := range all {
		if p.Design.Table == table {
			return p
		}
	}
	return nil
}

// movedModel refuses a model that was in another table: no steps bring its items into this one.
func movedModel(old []*design.Plan, plan *design.Plan) error {
	for _, was := range old {
		if was.Design.Table == plan.Design.Table {
			continue
		}
		for _, m := range plan.Design.Models {
			if was.Design.Model(m.Name) != nil {
				return fmt.Errorf("%s was in the table %s and is in %s now, and no steps are planned "+
					"that bring items into another table", m.Name, was.Design.Table,
					plan.Design.Table)
			}
		}
	}
	return nil
}

// result returns the value that is printed as JSON.
func (all *designDiffs) result() any {
	if !all.several {
		return all.Tables[0]
	}
	return all
}

func (all *designDiffs) text(out io.Writer) error {
	for _, d := range all.Tables {
		if all.several {
			if _, err := fmt.Fprintf(out, "table %s\n", d.Table); err != nil {
				return err
			}
		}
		if err := d.text(out); err != nil {
			return err
		}
	}
	for _, table := range all.Created {
		if _, err := fmt.Fprintf(out, "table %s\nit is new: create it, as \"kugiri design plan %s "+
			"--table %[1]s --format create-table\" prints it\n", table, all.file); err != nil {
			return err
		}
	}
	for _, table := range all.Left {
		if _, err := fmt.Fprintf(out, "table %s\nthe new design does not have it: delete it once "+
			"nobody reads it\n", table); err != nil {
			return err
		}
	}
	return nil
}

// verdict is the first error of a table.
func (all *designDiffs) verdict() error {
	for _, d := range all.Tables {
		if err := d.verdict(); err != nil {
			return err
		}
	}
	return nil
}

func diffTable(oldFile, newFile string, old, plan *design.Plan) (*designDiff, error) {
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
