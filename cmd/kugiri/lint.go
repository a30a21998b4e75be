package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/lint"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/progress"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
	"github.com/kugiri-db/kugiri/storage/budget"
)

// lintConfig holds the flags of lint.
type lintConfig struct {
	endpoint.Endpoint
	policy   string
	tables   []string
	segments int
	rate     float64
	resume   string
	format   cli.Choice
	failOn   cli.Choice
	all      bool
	code     bool
}

func lintCommand() *cobra.Command {
	var x lintConfig
	c := &cobra.Command{
		Use:   "lint --policy FILE | lint --code [DIRECTORY...]",
		Short: "Find what breaks a policy in the tables of any DynamoDB endpoint, or in source code",
		Long: `Reads all items of the tables that a policy declares, at any DynamoDB endpoint, and reports what
breaks its rules: by rule, entity and tenant, the worst first, with counts and examples. Nothing is written.

The exit status is 0 if nothing is found that --fail-on names, 1 if something is, 2 for errors.
With --resume, a run that is broken off goes on where it was when it is started again.

With --code it looks at the Go, TypeScript and JavaScript in directories instead, and reports where keys are built by
hand, as "ORDER#" + tenant, in place of the helpers. With --policy it tells keys by the prefixes and key
attributes that are declared; without, by words of capital letters and names that end in pk and sk.
TypeScript needs the npm packages kugiri and typescript: npx kugiri lint --code src.`,
		Example: "  kugiri lint --policy policy.yaml\n" +
			"  kugiri lint --policy policy.yaml --endpoint aws --table orders --rate 500 --resume lint.state --format sarif > lint.sarif\n" +
			"  kugiri lint --code --policy policy.yaml src",
		Args: func(c *cobra.Command, args []string) error {
			if x.code {
				return nil
			}
			return cli.Failure(cli.NoArguments(c, args))
		},
		RunE: func(c *cobra.Command, args []string) error {
			if x.code {
				return cli.Failure(x.runCode(c, args))
			}
			return cli.Failure(x.run(c))
		},
	}
	c.SetFlagErrorFunc(cli.FlagFailure)
	x.Endpoint.Flags(c)
	c.Flags().StringVar(&x.policy, "policy", "",
		"policy `file` (required without --code); see \"kugiri policy\"")
	c.Flags().BoolVar(&x.code, "code", false,
		"find keys that are built by hand in the source code of directories (default the current one)")
	c.Flags().StringArrayVar(&x.tables, "table", nil,
		"`name` of a table; more than once for more (default all that the policy declares)")
	c.Flags().IntVar(&x.segments, "segments", 4, "`number` of segments that are scanned at once")
	c.Flags().Float64Var(&x.rate, "rate", 0,
		"read at most so many capacity `units` a second (default no limit)")
	c.Flags().StringVar(&x.resume, "resume", "",
		"`file` to keep how far the run is, and to go on from; removed at the end")
	x.format.Register(c.Flags(), "format", "text", "`format` of the report", lint.Formats...)
	x.failOn.Register(c.Flags(), "fail-on", "enforce",
		"least `severity` of findings that is a failure", "warn", "enforce")
	c.Flags().BoolVar(&x.all, "all", false,
		"print all groups of findings, not only the worst; json and sarif have all in any case")
	return c
}

// check finds what is wrong with the command line.
func (x *lintConfig) check() error {
	switch {
	case x.policy == "":
		return errors.New("--policy is needed, or --code")
	case x.segments < 1 || x.segments > 1000:
		return fmt.Errorf("--segments %d: between 1 and 1000", x.segments)
	case !(x.rate >= 0):
		return fmt.Errorf("--rate %v: want no less than 0", x.rate)
	}
	return nil
}

func (x *lintConfig) run(c *cobra.Command) error {
	if err := x.check(); err != nil {
		return cli.WithHelp(c, err)
	}
	text, err := budget.ReadFile(x.policy, budget.SettingBytes)
	if err != nil {
		return err
	}
	engine, err := policyfile.Compile(text)
	if err != nil {
		return fmt.Errorf("%s: %w", x.policy, err)
	}
	ctx := c.Context()
	client, err := x.Client(ctx)
	if err != nil {
		return err
	}
	tables, items, err := x.find(ctx, client, engine)
	if err != nil {
		return err
	}
	bar := progress.New(c.ErrOrStderr(), "linting", items)
	id := sha256.Sum256(text)
	l := lint.Linter{
		Client: client, Policy: engine, PolicyID: hex.EncodeToString(id[:]), Source: x.At(client),
		Tables: tables, Segments: x.segments, Units: x.rate, Progress: bar.Add, Resume: x.resume,
	}
	report, err := l.Run(ctx)
	bar.Done()
	if err != nil {
		return x.stopped(err, &l)
	}
	if err := report.Write(c.OutOrStdout(), x.format.Value, x.policy, x.all); err != nil {
		return err
	}
	failures := report.Count(policy.Enforce)
	if x.failOn.Value == "warn" {
		failures += report.Count(policy.Warn)
	}
	if failures > 0 {
		return cli.Findings(errors.New(terminal.Count(failures, "finding")))
	}
	return nil
}

// stopped is the error of a run that did not get to its end.
func (x *lintConfig) stopped(err error, l *lint.Linter) error {
	read := "read " + cli.Items(l.Read())
	if x.resume != "" {
		return cli.Unfinished(err, read+", and the same command goes on from "+x.resume, "")
	}
	return cli.Unfinished(err, read, "with --resume FILE the same command goes on where it was")
}

// find returns the tables to look at, with how many items they have, about.
func (x *lintConfig) find(ctx context.Context, client *dynamodb.Client,
	engine *policy.Engine) (tables []string, items int64, err error) {
	tables = x.tables
	if tables == nil {
		if tables, err = endpoint.TableNames(ctx, client); err != nil {
			return nil, 0, fmt.Errorf("listing tables: %w", endpoint.NoServer(err, client))
		}
		tables = slices.DeleteFunc(tables, func(name string) bool { return !engine.Covers(name) })
		if len(tables) == 0 {
			return nil, 0, fmt.Errorf(
				"%s declares none of the tables of this access key and region: \"kugiri tables\" lists those there are", x.policy)
		}
	}
	for _, name := range tables {
		if !engine.Covers(name) {
			return nil, 0, fmt.Errorf("%s declares no table %s", x.policy, name)
		}
		table, err := endpoint.DescribeTable(ctx, client, name)
		if err != nil {
			return nil, 0, err
		}
		items += aws.ToInt64(table.Table.ItemCount)
	}
	return tables, items, nil
}
