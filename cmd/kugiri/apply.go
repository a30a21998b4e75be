package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/definition"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/parameters"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/transfer"
)

// applySettings hold the flags of apply.
type applySettings struct {
	endpoint.Endpoint
	definitions parameters.Flags
	dryRun      bool
	format      cli.ResultFormat
}

// applied is the JSON form of what apply did with a table, or would do.
type applied struct {
	Table   string   `json:"table"`
	Source  string   `json:"source"`
	Changes []string `json:"changes"` // never null
}

func applyCommand() *cobra.Command {
	var s applySettings
	c := &cobra.Command{
		Use:   "apply FILE|DIRECTORY...",
		Short: "Create and change tables as files of CloudFormation, SAM, CDK, Serverless or Terraform define them",
		Long: `Makes the tables of an endpoint as files define them, and says what it changes. Run again, it changes nothing.
It reads templates of CloudFormation and SAM, cdk.out, serverless.yml, Terraform (.tf, or "terraform show -json"),
models of NoSQL Workbench, and what the AWS CLI reads and prints of tables. What only the cloud knows, such as a value of
another stack, it cannot resolve, and says so. What a file does not say of a table stays as it is, but global
secondary indexes that it does not have are deleted. Other tables stay. A change of a table's key is refused.`,
		Example: "  kugiri apply template.yaml --parameter Stage=test\n  kugiri apply cdk.out\n  kugiri apply infra/ --dry-run",
		RunE:    func(c *cobra.Command, args []string) error { return s.run(c, args) },
	}
	s.Endpoint.Flags(c)
	s.definitions.Register(c.Flags())
	c.Flags().BoolVar(&s.dryRun, "dry-run", false, "say what would change, and change nothing")
	s.format.Register(c)
	return c
}

func (s *applySettings) run(c *cobra.Command, paths []string) error {
	if len(paths) == 0 {
		return cli.WithHelp(c, errors.New("name the files that define the tables"))
	}
	ctx := c.Context()
	client, err := s.Client(ctx)
	if err != nil {
		return err
	}
	v, err := s.definitions.Values(localAccount, client.Options().Region)
	if err != nil {
		return cli.WithHelp(c, err)
	}
	d, err := readDefinitions(ctx, v, paths)
	if err != nil {
		return err
	}
	if s.definitions.Strict {
		if err := d.Strict(); err != nil {
			return err
		}
	}
	for _, n := range d.Notes {
		if n.LeftOut {
			continue // an error at the end
		}
		if _, err := fmt.Fprintln(c.ErrOrStderr(), n); err != nil {
			return err
		}
	}
	leftOut := d.LeftOut()
	if len(d.Tables) == 0 && leftOut == nil {
		return errors.New("the files define no tables")
	}
	done, err := s.apply(ctx, client, d.Tables)
	printed := s.format.Print(c, done,
		func(out io.Writer) error { return printApplied(out, done, s.dryRun) })
	return errors.Join(leftOut, err, printed)
}

// localAccount is the account in ARNs of definitions that refer to others of their tables.
const localAccount = "000000000000"

// apply makes the changes of all tables. It returns those that are made, also if some fail.
func (s *applySettings) apply(ctx context.Context, client *dynamodb.Client,
	tables []definition.Table) ([]applied, error) {
	done := []applied{}
	var failed []error
	for i := range tables {
		a, err := s.applyTable(ctx, client, &tables[i], definition.NewPlan)
		if err == nil || len(a.Changes) > 0 {
			done = append(done, a)
		}
		for j := range tables[i].Elsewhere {
			if err != nil {
				break // there may be no replica
			}
			a, err = s.applyTable(ctx, client, &tables[i].Elsewhere[j], definition.NewReplicaPlan)
			if err == nil || len(a.Changes) > 0 {
				done = append(done, a)
			}
		}
		if err != nil {
			failed = append(failed, endpoint.NoServer(err, client))
		}
		if ctx.Err() != nil {
			break
		}
	}
	return done, errors.Join(failed...)
}

// applyTable makes the changes of a table, or of a replica. It returns those that are made, also if
// one fails.
func (s *applySettings) applyTable(ctx context.Context, client *dynamodb.Client,
	t *definition.Table, planOf func(context.Context, *dynamodb.Client, *definition.Table) (
		*definition.Plan, error)) (applied, error) {
	a := applied{Table: *t.Create.TableName, Source: t.Place, Changes: []string{}}
	there := client
	if t.Region != "" {
		there = dynamodb.New(client.Options(),
			func(o *dynamodb.Options) { o.Region = t.Region })
	}
	plan, err := planOf(ctx, there, t)
	if err != nil {
		return a, err
	}
	made := len(plan.Steps)
	if !s.dryRun {
		made, err = plan.Apply(ctx, there, cli.Pause)
	}
	for _, step := range plan.Steps[:made] {
		a.Changes = append(a.Changes, step.Change)
	}
	return a, err
}

func printApplied(out io.Writer, done []applied, dryRun bool) error {
	for _, a := range done {
		changes := strings.Join(a.Changes, "\n  ")
		switch {
		case len(a.Changes) == 0:
			changes = "as defined already"
		case dryRun:
			changes = "would " + strings.Join(a.Changes, "\n  would ")
		}
		if _, err := fmt.Fprintf(out, "%s (%s)\n  %s\n", a.Table, a.Source, changes); err != nil {
			return err
		}
	}
	return nil
}

// readDefinitions reads definitions, also those in the formats of package seed.
func readDefinitions(ctx context.Context, v definition.Values,
	paths []string) (*definition.Definitions, error) {
	d, err := definition.Read(ctx, v, paths...)
	if err != nil {
		return nil, err
	}
	data, err := d.Seeds(ctx)
	if err != nil {
		return nil, err
	}
	for _, found := range data.Definitions() {
		in, err := transfer.ReadDefinition(found.Place, found.CreateTable)
		if err != nil {
			return nil, err
		}
		t := definition.Table{Place: found.Place, Create: *in}
		if found.TimeToLive != nil {
			t.TTL = new(types.TimeToLiveSpecification)
			if err := json.Unmarshal(found.TimeToLive, t.TTL); err != nil {
				return nil, fmt.Errorf("%s: %w", found.Place, err)
			}
		}
		d.Tables = append(d.Tables, t)
	}
	for _, w := range data.Warnings() {
		d.Notes = append(d.Notes, definition.Note{Place: w.Place, Message: w.Message})
	}
	if n := data.Items(); n > 0 {
		d.Notes = append(d.Notes, definition.Note{Place: strings.Join(d.Others, ", "),
			Message: cli.Items(int64(n)) +
				" left out: \"kugiri import\" writes items, and --seed begins with them"})
	}
	return d, nil
}
