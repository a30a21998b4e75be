package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/clone"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/progress"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/transfer"
	"github.com/kugiri-db/kugiri/conventions/mask"
	"github.com/kugiri-db/kugiri/storage/budget"
)

// secretVariable is the environment variable with the secret of pseudonyms.
const secretVariable = "MASK_SECRET"

// cloneConfig holds the flags of clone.
type cloneConfig struct {
	from, to   endpoint.Endpoint
	tables     []string
	allTables  bool
	mask       string
	unmasked   bool
	secretFile string
	strict     bool
	sample     string
	segments   int
	rate       float64
	resume     string
	dryRun     bool
	format     cli.ResultFormat
}

func cloneCommand() *cobra.Command {
	var x cloneConfig
	c := &cobra.Command{
		Use:   "clone --from aws --table NAME --mask FILE",
		Short: "Copy tables from another endpoint, a sample of their items, with personal data masked",
		Long: `Copies tables with their keys, indexes, time to live and tags, and their items, from one DynamoDB endpoint to
another. A mask says which attributes get pseudonyms: with one secret, the same value gets the same pseudonym in each table
and run, and formats, keys and references stay ("kugiri clone --schema" describes the file). Items are masked before they
are written. The result says which attributes no rule fits, and which values that stay look like personal data.

The secret is in the environment, in ` + secretVariable +
			`, or in --secret-file. Whoever has it can find the values again.

A sample has whole item collections: those with one partition key are in it in all tables, or in none.
A table that is there gets the items too, and keeps its settings; its key must be the same.
With --resume, a clone that is broken off goes on where it was. That file has keys that are not masked.`,
		Example: "  kugiri clone --from aws --from-profile prod --table orders --mask mask.yaml --sample 1%\n" +
			"  kugiri clone --from aws --table orders --dry-run --mask mask.yaml\n" +
			"  kugiri clone --schema > mask.schema.json",
		Args: cli.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error { return x.run(c) },
	}
	x.from.EndFlags(c, "from")
	x.to.EndFlags(c, "to")
	f := c.Flags()
	f.StringArrayVar(&x.tables, "table", nil,
		"`name` of a table (required, or --all-tables); more than once for more")
	f.BoolVar(&x.allTables, "all-tables", false, "clone all tables of the access key and region")
	f.StringVar(&x.mask, "mask", "", "`file` that says what is masked (required, or --unmasked)")
	f.BoolVar(&x.unmasked, "unmasked", false, "copy all values as they are")
	f.StringVar(&x.secretFile, "secret-file", "",
		"`file` with the secret of the pseudonyms, in place of "+secretVariable)
	f.BoolVar(&x.strict, "strict", false,
		"stop at an attribute that no rule of the mask fits, before its item is written")
	f.StringVar(&x.sample, "sample", "100%",
		"`share` of the item collections that are copied, such as 1%")
	f.IntVar(&x.segments, "segments", 4, "`number` of segments that are scanned at once")
	f.Float64Var(&x.rate, "rate", 0,
		"read at most so many capacity `units` a second (default no limit)")
	f.StringVar(&x.resume, "resume", "",
		"`file` to keep how far the clone is, and to go on from; removed at the end")
	f.BoolVar(&x.dryRun, "dry-run", false, "read and report, and write nothing")
	f.Bool("schema", false, "print the JSON schema of masks")
	x.format.Register(c)
	return c
}

func (x *cloneConfig) run(c *cobra.Command) error {
	if schema, _ := c.Flags().GetBool("schema"); schema {
		_, err := c.OutOrStdout().Write(mask.Schema())
		return err
	}
	share, err := x.check(c)
	if err != nil {
		return cli.Failure(err)
	}
	rules, secret, err := x.readMask()
	if err != nil {
		return err
	}
	run := &cloneRun{cloneConfig: x, share: share, rules: rules, secret: secret}
	if err := run.connect(c.Context()); err != nil {
		return err
	}
	if err := run.readState(); err != nil {
		return err
	}
	results, err := run.all(c.Context(), c.ErrOrStderr())
	if err != nil {
		return err
	}
	if x.resume != "" {
		if err := transfer.RemoveState(x.resume); err != nil {
			return err
		}
	}
	return x.format.Print(c, results,
		func(out io.Writer) error { return printCloned(out, results, x.dryRun) })
}

// check finds what is wrong with the command line, and returns the share of the sample.
func (x *cloneConfig) check(c *cobra.Command) (share float64, err error) {
	text, percent := strings.CutSuffix(x.sample, "%")
	share, err = strconv.ParseFloat(text, 64)
	switch {
	case x.from.URL == "":
		return 0, cli.WithHelp(c, errors.New("--from is needed"))
	case len(x.tables) == 0 && !x.allTables:
		return 0, cli.WithHelp(c, errors.New("--table or --all-tables is needed"))
	case len(x.tables) > 0 && x.allTables:
		return 0, cli.WithHelp(c, errors.New("--table and --all-tables do not go together"))
	case len(slices.Compact(slices.Sorted(slices.Values(x.tables)))) < len(x.tables):
		return 0, errors.New("--table names a table twice")
	case x.mask != "" && x.unmasked:
		return 0, cli.WithHelp(c, errors.New("--mask and --unmasked do not go together"))
	case x.mask == "" && !x.unmasked && !x.dryRun:
		return 0, cli.WithHelp(c,
			errors.New(
				"either --mask says what is masked, or --unmasked copies all values as they are"))
	case x.strict && x.mask == "":
		return 0, cli.WithHelp(c, errors.New("--strict is for --mask"))
	case err != nil || !percent || !(share > 0 && share <= 100):
		return 0, fmt.Errorf("--sample %s: want a share above 0 and up to 100, such as 1%%",
			x.sample)
	case x.segments < 1 || x.segments > 1000:
		return 0, fmt.Errorf("--segments %d: between 1 and 1000", x.segments)
	case !(x.rate >= 0):
		return 0, fmt.Errorf("--rate %v: want no less than 0", x.rate)
	case x.dryRun && x.resume != "":
		return 0, errors.New("--dry-run and --resume do not go together")
	}
	return share / 100, nil
}

// readMask returns the mask, with the secret. Without --mask it is one that fits nothing.
func (x *cloneConfig) readMask() (rules *mask.Mask, secret []byte, err error) {
	if x.mask == "" {
		return &mask.Mask{}, make([]byte, mask.MinSecret), nil
	}
	if rules, err = mask.ParseFile(x.mask); err != nil {
		return nil, nil, err
	}
	secret = []byte(os.Getenv(secretVariable))
	if x.secretFile != "" {
		if secret, err = budget.ReadFile(x.secretFile, budget.SettingBytes); err != nil {
			return nil, nil, err
		}
	}
	secret = bytes.TrimSpace(secret)
	if len(secret) == 0 && x.dryRun {
		secret = make([]byte, mask.MinSecret)
	}
	if len(secret) < mask.MinSecret {
		return nil, nil, fmt.Errorf(
			"pseudonyms need a secret of at least %d bytes in %s or --secret-file, such as that of \"openssl rand -hex 32\"",
			mask.MinSecret, secretVariable)
	}
	return rules, secret, nil
}

// cloneRun is a run of clone.
type cloneRun struct {
	*cloneConfig
	share    float64
	rules    *mask.Mask
	secret   []byte
	old, new *dynamodb.Client
	state    cloneState
}

// cloneState is how far a clone is.
type cloneState struct {
	Tables []string               `json:"tables"`
	From   string                 `json:"from"`
	To     string                 `json:"to"`
	Mask   string                 `json:"mask"` // a checksum of the mask, the secret and the sample
	Reach  map[string]clone.State `json:"reach"`
}

// connect makes the clients.
func (r *cloneRun) connect(ctx context.Context) (err error) {
	if r.old, err = r.from.Client(ctx); err != nil {
		return fmt.Errorf("--from: %w", err)
	}
	if r.new, err = r.to.Client(ctx); err != nil {
		return fmt.Errorf("--to: %w", err)
	}
	if r.from == r.to { // the clients have filled in the URLs
		return errors.New("--from and --to are the same")
	}
	if r.allTables {
		r.tables, err = allTables(ctx, r.old)
		if err != nil {
			return fmt.Errorf("--from: %w", err)
		}
	}
	return nil
}

// readState reads the state with which --resume goes on.
func (r *cloneRun) readState() error {
	begun := cloneState{
		Tables: r.tables, From: r.from.At(r.old), To: r.to.At(r.new), Mask: r.fingerprint(),
		Reach: map[string]clone.State{},
	}
	r.state = begun
	if r.resume == "" {
		return nil
	}
	found, err := transfer.ReadState(r.resume, &r.state)
	switch s := &r.state; {
	case err != nil || !found:
		return err
	case s.Reach == nil:
		return fmt.Errorf("%s is not a checkpoint to resume from", r.resume)
	case !slices.Equal(s.Tables, begun.Tables) || s.From != begun.From || s.To != begun.To:
		return fmt.Errorf("%s is of a clone of %s at %s to %s: remove it to begin anew", r.resume,
			strings.Join(s.Tables, ", "), s.From, s.To)
	case s.Mask != begun.Mask:
		return fmt.Errorf(
			"%s is of a clone with another mask, secret or sample: remove it to begin anew",
			r.resume)
	}
	return nil
}

// fingerprint returns a checksum of all that decides which items are cloned, and with which values:
// the secret, the mask, the share of the sample and --strict. It does not reveal the secret.
func (r *cloneRun) fingerprint() string {
	sum := hmac.New(sha256.New, r.secret)
	// without --mask there is no file, and no text to add
	if text, err := budget.ReadFile(r.mask, budget.SettingBytes); err == nil {
		sum.Write(text)
	}
	fmt.Fprint(sum, r.share, r.strict)
	return hex.EncodeToString(sum.Sum(nil))
}

// cloned is the result for a table.
type cloned struct {
	Table   string        `json:"table"`
	Read    int64         `json:"read"`    // items of the table
	Written int64         `json:"written"` // items
	Resumed bool          `json:"resumed,omitempty"`
	Report  *mask.Summary `json:"report,omitempty"`
}

// all clones all tables.
func (r *cloneRun) all(ctx context.Context, stderr io.Writer) (results []cloned, err error) {
	var tables []*dynamodb.DescribeTableOutput
	total := int64(0)
	for _, name := range r.tables {
		table, err := endpoint.DescribeTable(ctx, r.old, name)
		if err != nil {
			return nil, fmt.Errorf("--from: %w", err)
		}
		tables = append(tables, table)
		total += aws.ToInt64(table.Table.ItemCount)
	}
	bar := progress.New(stderr, "cloning", total)
	defer bar.Done()
	for _, table := range tables {
		result, err := r.table(ctx, table.Table, bar)
		if err != nil {
			bar.Done()
			return nil, r.brokenOff(err, results)
		}
		results = append(results, *result)
	}
	return results, nil
}

// brokenOff returns the error of a run that did not clone all tables.
func (r *cloneRun) brokenOff(err error, results []cloned) error {
	next := "the same command writes the same items again"
	if r.resume != "" {
		next = "the same command goes on from " + r.resume
	}
	return cli.Unfinished(err, "cloned "+terminal.Count(int64(len(results)), "table")+"; "+next, "")
}

// table clones a table.
func (r *cloneRun) table(ctx context.Context, table *types.TableDescription,
	bar *progress.Bar) (*cloned, error) {
	name := *table.TableName
	if !r.dryRun {
		if err := r.makeTable(ctx, table); err != nil {
			return nil, fmt.Errorf("--to: %w", endpoint.NoServerOf(err, r.new, "--to"))
		}
	}
	c := &clone.Cloner{From: r.old, To: r.new, Table: name, Partition: keyAttributes(table)[0],
		Sample:   r.share,
		Segments: r.segments, Units: r.rate, Progress: bar.Add, State: r.state.Reach[name]}
	if r.dryRun {
		c.To = nil
	}
	var err error
	if !r.unmasked {
		if c.Mask, err = r.rules.Table(name, keyAttributes(table), r.secret, r.strict); err != nil {
			return nil, fmt.Errorf("%s: %w", r.mask, err)
		}
	}
	resumed := c.State.Position != nil
	if r.resume != "" {
		c.Reached = func(s clone.State) error {
			r.state.Reach[name] = s
			return transfer.SaveState(r.resume, &r.state)
		}
	}
	if err := c.Run(ctx); err != nil {
		return nil, err
	}
	result := &cloned{
		Table: name, Read: c.State.Position.Items, Written: c.State.Written, Resumed: resumed,
	}
	if c.Mask != nil {
		summary := c.Mask.Report().Summary()
		result.Report = &summary
	}
	return result, nil
}

// keyAttributes returns the names of a table's key attributes, that of the partition key first.
func keyAttributes(table *types.TableDescription) []string {
	names := make([]string, 0, 2)
	for _, k := range table.KeySchema {
		if k.KeyType == types.KeyTypeHash {
			names = slices.Insert(names, 0, *k.AttributeName)
		} else {
			names = append(names, *k.AttributeName)
		}
	}
	return names
}

// keyTypes returns the types of a table's key attributes.
func keyTypes(table *types.TableDescription) transfer.KeyTypes {
	all := transfer.KeysOf(table)
	maps.DeleteFunc(all,
		func(name, _ string) bool { return !slices.Contains(keyAttributes(table), name) })
	return all
}

// makeTable makes the table unless it is there.
func (r *cloneRun) makeTable(ctx context.Context, table *types.TableDescription) error {
	there, err := r.new.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: table.TableName})
	var absent *types.ResourceNotFoundException
	switch {
	case err == nil && aws.ToString(there.Table.TableId) == aws.ToString(table.TableId) &&
		table.TableId != nil:
		return fmt.Errorf("this is the table %s that --from names, at another address",
			*table.TableName)
	case err == nil &&
		!(slices.Equal(keyAttributes(there.Table), keyAttributes(table)) &&
			maps.Equal(keyTypes(there.Table), keyTypes(table))):
		return fmt.Errorf("there is a table %s with another key", *table.TableName)
	case err == nil:
		return nil
	case !errors.As(err, &absent):
		return err
	}
	set, err := settingsOf(ctx, r.old, table)
	if err != nil {
		return fmt.Errorf("--from: %w", err)
	}
	return makeWanted(ctx, r.new, wantedTable(*table.TableName, set))
}
