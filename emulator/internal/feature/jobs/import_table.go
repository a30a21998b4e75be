package jobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/feature/control"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/emulator/transfers"
	"github.com/kugiri-db/kugiri/storage"
)

// MaxImports is the most imports in progress (Developer Guide, "Import format quotas and
// validation", "Import quotas").
const MaxImports = 50

func ImportTable(c *serve.Call, in *api.ImportTableInput) (*api.ImportTableOutput, error) {
	if in.ClientToken == nil { // service facts H.3, which does not have the text
		return nil, apierr.Invalid("1 validation error detected: Value null at 'clientToken' " +
			"failed to satisfy constraint: Member must not be null")
	}
	token := in.ClientToken
	without := *in
	without.ClientToken = nil
	own, text := kept(&without)
	if err := orderOfFormat.Judge(own); err != nil {
		return nil, err
	}
	create := createTableOf(own.TableCreationParameters)
	if err := control.CheckCreateTable(c, create); err != nil {
		return nil, err
	}
	settings, err := control.NewSettings(c, create, c.Now())
	if err != nil {
		return nil, err
	}
	out := new(api.ImportTableOutput)
	return out, startJob(c, &jobStart{
		kind: importJob, request: text, token: token,
		again: func(tx *storage.Tx, old *Job) error {
			return checkImportAgain(c, tx, old, string(*create.TableName))
		},
		begin: func(tx *storage.Tx) (*jobRun, func() error, error) {
			name := string(*create.TableName)
			if err := orderOfImport.Judge(newImport{c, tx, name, create}); err != nil {
				return nil, nil, err
			}
			run := beginJob(c, tx, newJob(c, importJob, name, c.NewTableID(), text, token))
			x := &importRun{jobRun: run, in: own, create: create, settings: settings}
			return run, x.load, nil
		},
		describe: func(_ *storage.Tx, j *Job) {
			out.ImportTableDescription = describeImportJob(c, j)
		},
	})
}

func ImportTableTargets(in *api.ImportTableInput, ts *serve.Targets) {
	var t serve.Target
	if in.TableCreationParameters != nil {
		t.Table = arn.TableCalled(in.TableCreationParameters.TableName)
	}
	ts.Add(t)
}

// checkImportAgain judges a request with the token of an earlier import. Only another table is a
// conflict; the table of an import that has ended is in the way (ack-api-quirks, DDB-IMPORT-017).
func checkImportAgain(c *serve.Call, tx *storage.Tx, old *Job, name string) error {
	switch {
	case old.Table != name:
		return &apierr.Error{
			Type:    apierr.ImportConflict,
			Message: "Import conflict: Duplicate request detected with conflicting parameters",
		}
	case old.overAt(c.Now()):
		return control.CheckFree(c, tx, name, states.Import)
	}
	return nil
}

// orderOfFormat orders the checks of ImportTable on the format of the source. After it come the
// table that would be, in the order of CreateTable, the token, and the tables there are
// (orderOfImport).
var orderOfFormat = serve.Order[*api.ImportTableInput]{
	serve.Step("options of another format", "DDB-IMPORT-009", func(in *api.ImportTableInput) error {
		if o := in.InputFormatOptions; o != nil && o.Csv != nil &&
			*in.InputFormat != transfers.FormatCSV {
			return apierr.Invalid(
				"Invalid Request: Unsupported InputFormatOptions for the given input format: %s.",
				*in.InputFormat)
		}
		return nil
	}),
	serve.Step("headers that occur twice", "", func(in *api.ImportTableInput) error {
		if in.InputFormatOptions == nil || in.InputFormatOptions.Csv == nil {
			return nil
		}
		headers := in.InputFormatOptions.Csv.HeaderList
		for i, h := range headers {
			if slices.Contains(headers[:i], h) {
				return apierr.BadParameter("HeaderList has a duplicate header: %s", h)
			}
		}
		return nil
	}),
}

// createTableOf returns the request that creates the table of an import.
func createTableOf(p *api.TableCreationParameters) *api.CreateTableInput {
	return &api.CreateTableInput{
		TableName:              (*api.TableArn)(p.TableName),
		AttributeDefinitions:   p.AttributeDefinitions,
		KeySchema:              p.KeySchema,
		BillingMode:            p.BillingMode,
		ProvisionedThroughput:  p.ProvisionedThroughput,
		OnDemandThroughput:     p.OnDemandThroughput,
		SSESpecification:       p.SSESpecification,
		GlobalSecondaryIndexes: p.GlobalSecondaryIndexes,
		VectorIndexes:          p.VectorIndexes,
	}
}

// newImport is an import that is to begin.
type newImport struct {
	call   *serve.Call
	tx     *storage.Tx
	name   string // the table's name
	create *api.CreateTableInput
}

// orderOfImport orders the checks of ImportTable on the existing tables and imports.
var orderOfImport = serve.Order[newImport]{
	serve.Step("a table of that name", "DDB-IMPORT-019",
		func(x newImport) error { return control.CheckFree(x.call, x.tx, x.name, states.Import) }),
	serve.Step("an import whose table is not created yet", "DDB-IMPORT-018",
		func(x newImport) error {
			begun := JobsOf(x.call.Data).List(func(j *Job) bool {
				return j.Kind == importJob && j.Table == x.name && j.unfinished()
			})
			if len(begun) > 0 {
				_, changing := x.call.Changing(x.tx, x.name)
				return changing.Error(states.CreatesUnseen, states.Import)
			}
			return nil
		}),
	serve.Step("how many imports are in progress", "", func(x newImport) error {
		if JobsOf(x.call.Data).inProgress(importJob, x.call.Now()) >= MaxImports {
			return tables.ErrLimit("Only %d imports can be in progress simultaneously", MaxImports)
		}
		return nil
	}),
	serve.Step("the policy of access patterns", "",
		func(x newImport) error { return control.CheckDeclared(x.call, x.create) }),
}

// importRun is an import that runs.
type importRun struct {
	*jobRun
	in       *api.ImportTableInput
	create   *api.CreateTableInput
	settings *tables.Settings
	errors   int64 // the errors so far; the first are logged
}

// untilReleased is the end of the state CREATING while an import runs: see releaseImported.
var untilReleased = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// load creates the table and loads the source. If the source cannot be found there will be no table
// (Developer Guide, "Import format quotas and validation", "The specified bucket does not exist").
func (x *importRun) load() error {
	buckets, err := buckets(x.call)
	if err != nil {
		return err
	}
	source, err := readSource(x.ctx, buckets, x.source())
	if err != nil {
		return err
	}
	defer source.Close()
	if err := x.account.Store.Update(func(tx *storage.Tx) error {
		if err := x.checkSize(tx, source.Progress().Total); err != nil {
			return err
		}
		return x.createTable(tx)
	}); err != nil {
		return err
	}
	x.errors = x.begun.Errors
	l := &loader{jobRun: x.jobRun, table: x.table, refused: x.logRefused}
	return l.run(source)
}

// readSource finds the objects of an import. None is no error: the import completes (service facts
// M.4).
func readSource(ctx context.Context, buckets transfers.Buckets,
	s *transfers.Source) (transfers.SourceReader, error) {
	source, err := buckets.Read(ctx, s)
	var refused *transfers.Error
	if errors.As(err, &refused) && refused.Code == "NoSuchKey" {
		return noSource{}, nil
	}
	return source, err
}

// noSource is a source without objects.
type noSource struct{}

func (noSource) Next() (*transfers.SourceRecord, error) { return nil, io.EOF }
func (noSource) Progress() transfers.SourceProgress     { return transfers.SourceProgress{} }
func (noSource) Close() error                           { return nil }

// Terabyte is that of quotas.
const Terabyte = 1 << 40

// maxImportBytes returns how large the objects of all imports in progress may be together, in a
// region (Developer Guide, "Import format quotas and validation", "Import quotas").
func maxImportBytes(region string) int64 {
	switch region {
	case "us-east-1", "us-west-2", "eu-west-1":
		return 15 * Terabyte
	}
	return Terabyte
}

// checkSize keeps the size of the objects, and returns an error if those of all imports in progress
// are too large together. The code and the message have not been seen.
func (x *importRun) checkSize(tx *storage.Tx, bytes int64) error {
	j := *x.job
	j.Total = bytes
	for _, other := range JobsOf(x.account).List(
		func(o *Job) bool { return o.Kind == importJob && o.unfinished() && o.ID != j.ID }) {
		bytes += other.Total
	}
	if limit := maxImportBytes(x.call.Region); bytes > limit {
		return &jobFailure{apierr.LimitExceeded.Name,
			fmt.Sprintf("The source objects of all imports in progress are larger than %d TB",
				limit/Terabyte)}
	}
	x.keep(tx, &j)
	return nil
}

// source describes what to read.
func (x *importRun) source() *transfers.Source {
	from := x.in.S3BucketSource
	s := &transfers.Source{
		Location: transfers.Location{Bucket: string(*from.S3Bucket),
			Owner:  string(api.Deref(from.S3BucketOwner)),
			Prefix: string(api.Deref(from.S3KeyPrefix))},
		Format:      string(*x.in.InputFormat),
		Compression: string(api.Deref(x.in.InputCompressionType)),
		KeyTypes:    map[string]string{},
	}
	for _, d := range x.create.AttributeDefinitions {
		s.KeyTypes[string(*d.AttributeName)] = string(*d.AttributeType)
	}
	if o := x.in.InputFormatOptions; o != nil && o.Csv != nil {
		s.Delimiter = string(api.Deref(o.Csv.Delimiter))
		for _, h := range o.Csv.HeaderList {
			s.Headers = append(s.Headers, string(h))
		}
	}
	return s
}

// createTable creates the table, which is CREATING until the import has ended. An earlier process
// may have created it already.
func (x *importRun) createTable(tx *storage.Tx) error {
	if _, err := x.table(tx); err == nil {
		return nil
	}
	if err := control.CheckFree(x.call, tx, x.begun.Table, states.Import); err != nil {
		return &jobFailure{"ResourceInUseException", apierr.As(err).Message}
	}
	control.Create(x.call, tx, strings.Clone(x.begun.Table), x.begun.TableID, x.create, x.settings)
	t := tx.Table(x.begun.Table)
	s := tables.SettingsOf(tx, t).Clone()
	s.State = tables.Transition{Status: tables.Creating, Until: untilReleased}
	tx.Tables().SetSettings(t, s)
	return nil
}

// table finds the table of the import.
func (x *importRun) table(tx *storage.Tx) (*storage.Table, error) {
	t := tx.Table(x.begun.Table)
	if t == nil || t.ID != x.begun.TableID {
		return nil, errJobTable
	}
	return t, nil
}
