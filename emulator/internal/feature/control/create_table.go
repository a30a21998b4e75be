package control

import (
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

func CreateTable(c *serve.Call, in *api.CreateTableInput) (*api.CreateTableOutput, error) {
	if in.GlobalTableSourceArn != nil {
		return joinGlobalTable(c, in)
	}
	if err := CheckCreateTable(c, in); err != nil {
		return nil, err
	}
	name := strings.Clone(string(*in.TableName))
	settings, err := NewSettings(c, in, c.Now())
	if err != nil {
		return nil, err
	}
	out := new(api.CreateTableOutput)
	return out, c.Store.Update(func(tx *storage.Tx) error {
		if err := CheckFree(c, tx, name, states.Create); err != nil {
			return err
		}
		if err := CheckDeclared(c, in); err != nil {
			return err
		}
		out.TableDescription = Create(c, tx, name, c.NewTableID(), in, settings)
		return nil
	})
}

func CreateTableTargets(in *api.CreateTableInput, ts *serve.Targets) {
	ts.Add(serve.Target{Table: arn.TableCalled(in.TableName)})
}

// CheckFree returns the error of a request that would make a table with a name, if there is one.
func CheckFree(c *serve.Call, tx *storage.Tx, name string, asked states.Request) error {
	c.DropGone(tx, name)
	_, changing := c.Changing(tx, name)
	return changing.RefusePhase(asked)
}

// Create adds the table and describes it as the service does in its answer: as being created.
func Create(c *serve.Call, tx *storage.Tx, name, id string, in *api.CreateTableInput,
	s *tables.Settings) *api.TableDescription {
	var schemas []storage.IndexSchema
	for _, ix := range IndexSpecs(in) {
		schemas = append(schemas, ix.Schema(s.Definitions))
	}
	t := tx.Tables().Create(name, id, tables.StorageKey(in.KeySchema, s.Definitions), schemas, s)
	for i := range in.VectorIndexes {
		tx.Vectors().AddIndex(t, tables.VectorSchema(&in.VectorIndexes[i], s.Definitions))
	}
	return Begin(c, tx, t, s)
}

// Begin begins the life of a new table and describes it as being created.
func Begin(c *serve.Call, tx *storage.Tx, t *storage.Table,
	s *tables.Settings) *api.TableDescription {
	now := c.Now()
	tables.StartStream(tx, t, &s.Stream, now)
	s.State = tables.Transition{Status: tables.Creating, Until: now.Add(c.Delays().Create)}
	answer := tables.Describe(c.Owner, tx, t, s, now.Add(-1))
	tx.Tables().SetSettings(t, s.Settle(now))
	return answer
}

// NewSettings are the settings of a new table.
func NewSettings(c *serve.Call, in *api.CreateTableInput, now time.Time) (*tables.Settings, error) {
	tags, err := tables.Tagged(nil, in.Tags)
	if err != nil {
		return nil, err
	}
	s := &tables.Settings{
		Definitions: tables.KeptDefinitions(in.AttributeDefinitions),
		Billing:     tables.Billing{Mode: billingMode(in.BillingMode)},
		Capacity: tables.NewCapacity(in.ProvisionedThroughput, in.OnDemandThroughput,
			in.WarmThroughput),
		Vectors:    tables.NewVectors(in.VectorIndexes),
		Stream:     tables.NewStream(in.StreamSpecification, now),
		Encryption: tables.NewEncryption(c.Owner, in.SSESpecification),
		Class:      tables.TableClass{Class: api.Deref(api.Clone(in.TableClass))},
		Tags:       tags,
		Protected:  api.Deref(in.DeletionProtectionEnabled),
		Replicates: api.Deref(api.Clone(in.GlobalTableSettingsReplicationMode)),
	}
	if s.Billing.OnDemandMode() {
		s.Billing.OnDemand = now
	}
	if in.ResourcePolicy != nil {
		version, err := newPolicy(c, *in.ResourcePolicy, false)
		if err != nil {
			return nil, err
		}
		s.Policies = []tables.ResourcePolicy{tables.ResourcePolicy{}.Change(version, now, 0)}
	}
	for _, ix := range in.GlobalSecondaryIndexes {
		s.Indexes = append(s.Indexes, tables.IndexSettings{
			Name: string(*api.Clone(ix.IndexName)),
			Capacity: tables.NewCapacity(ix.ProvisionedThroughput, ix.OnDemandThroughput,
				ix.WarmThroughput),
		})
	}
	return s, nil
}

// creation is a request for a new table.
type creation struct {
	*api.CreateTableInput
	call *serve.Call
}

// ofRequest returns a check of the request alone.
func ofRequest(check func(*api.CreateTableInput) error) func(creation) error {
	return func(in creation) error { return check(in.CreateTableInput) }
}

// orderOfCreate orders the checks of CreateTable that do not need the existing tables. ImportTable
// makes them, too.
var orderOfCreate = serve.Order[creation]{
	serve.Step("the mode of replication", "", func(in creation) error {
		if mode := in.GlobalTableSettingsReplicationMode; mode != nil &&
			*mode != tables.ReplicatesSettings {
			return errSettingsMode
		}
		return nil
	}),
	serve.Step("the name", "", func(in creation) error { return checkTableName(in.TableName) }),
	serve.Step("throughput", "", ofRequest(checkThroughput)),
	serve.Step("keys and indexes", "6.9, DDB-TABLE-127", schemaOfCreate.Judge),
	serve.Step("the stream", "", func(in creation) error {
		return tables.CheckStream(in.StreamSpecification, tables.CreateNeedsView,
			tables.CreateRefusesView)
	}),
	serve.Step("encryption", "", func(in creation) error {
		return tables.CheckEncryption(in.SSESpecification, "sSESpecification")
	}),
	serve.Step("the class", "T.4", func(in creation) error { return checkClass(in.TableClass) }),
	serve.Step("quotas of maxima and of warm throughput", "", func(in creation) error {
		return checkMaxima(in.call.Region, in.CreateTableInput)
	}),
	serve.Step("tags", "", func(in creation) error { return tables.CheckTags(in.Tags) }),
	serve.Step("the key of encryption", "DDB-TABLE-328",
		func(in creation) error { return checkKeyRegion(in.call, in.SSESpecification) }),
}

// CheckCreateTable applies all rules that need no look at the tables there are.
func CheckCreateTable(c *serve.Call, in *api.CreateTableInput) error {
	return orderOfCreate.Judge(creation{in, c})
}

// checkKeyRegion refuses a key of encryption that is of another region, where KMS does not find it.
// Where all regions share their tables, a key of any of them is taken.
func checkKeyRegion(c *serve.Call, spec *api.SSESpecification) error {
	if spec == nil || c.Service.Shared {
		return nil
	}
	return errKeyRegion(c, "", api.Deref(spec.KMSMasterKeyId), c.Region)
}

// errKeyRegion returns the error of a key that is not of a region; where says for what it is
// (ack-api-quirks, DDB-TABLE-313 and 328).
func errKeyRegion(c *serve.Call, where, key, region string) error {
	part := strings.Split(key, ":") // arn:partition:kms:region:account:key/id
	if len(part) < 4 || part[3] == region {
		return nil
	}
	return apierr.Invalid("KMS validation error%s: "+
		"com.amazonaws.services.kms.model.NotFoundException: Invalid arn %s "+
		"(Service: AWSKMS; Status Code: 400; Error Code: NotFoundException; "+
		"Request ID: %s; Proxy: null)", where, part[3], c.NewTableID())
}

// checkMaxima checks the maximum and warm throughput of the table and of its indexes.
func checkMaxima(region string, in *api.CreateTableInput) error {
	if err := tables.CheckMaxima(region, in.OnDemandThroughput, in.WarmThroughput,
		""); err != nil {
		return err
	}
	for _, ix := range in.GlobalSecondaryIndexes {
		if err := tables.CheckMaxima(region, ix.OnDemandThroughput, ix.WarmThroughput,
			string(*ix.IndexName)); err != nil {
			return err
		}
	}
	return nil
}

// checkTableName checks the name of a new table. To create a table by ARN would be to create it
// elsewhere.
func checkTableName(name *api.TableArn) error {
	if serve.ValidName(string(*name)) {
		return nil
	}
	return apierr.Invalid(apierr.Envelope + "Value '" + string(*name) +
		"' at 'tableName' failed to satisfy constraint: " +
		"Member must satisfy regular expression pattern: " + api.NamePattern)
}

// checkThroughput checks the throughput of the table itself.
func checkThroughput(in *api.CreateTableInput) error {
	if err := tables.CheckUnits(in.ProvisionedThroughput, ""); err != nil {
		return err
	}
	mode := billingMode(in.BillingMode)
	switch {
	case mode == tables.PayPerRequest && in.ProvisionedThroughput != nil:
		return tables.ErrNeitherUnits
	case mode != tables.PayPerRequest && in.ProvisionedThroughput == nil:
		return tables.ErrBothUnits
	}
	if err := tables.CheckNewOnDemand(in.OnDemandThroughput, mode, "table"); err != nil {
		return err
	}
	return tables.CheckNewWarm(in.WarmThroughput, mode,
		tables.ProvisionedUnits(in.ProvisionedThroughput), "table")
}

// schemaOfCreate orders the checks on the keys of a table and of its indexes.
var schemaOfCreate = serve.Order[creation]{
	serve.Step("what is missing", "", ofRequest(checkSchemaGiven)),
	serve.Step("definitions that occur twice", "",
		func(in creation) error { return tables.CheckDistinct(in.AttributeDefinitions) }),
	serve.Step("definitions of the key", "", func(in creation) error {
		return tables.CheckTableDefined(in.KeySchema, in.AttributeDefinitions)
	}),
	serve.Step("the key", "", func(in creation) error {
		return tables.CheckKeySchema(in.KeySchema, tables.PrimaryShape)
	}),
	serve.Step("how many indexes there are", "6.9", ofRequest(checkIndexLists)),
	serve.Step("definitions that nothing uses", "DDB-TABLE-127", func(in creation) error {
		return tables.CheckAllUsed(in.AttributeDefinitions, in.KeySchema,
			IndexSpecs(in.CreateTableInput), in.VectorIndexes)
	}),
	serve.Step("each index", "", ofRequest(checkEachIndex)),
	serve.Step("indexes together", "",
		func(in creation) error { return tables.CheckIndexes(IndexSpecs(in.CreateTableInput)) }),
	serve.Step("vector indexes", "V.1.1, V.1.4, V.1.5", func(in creation) error {
		return tables.CheckVectors(in.VectorIndexes, IndexSpecs(in.CreateTableInput),
			in.AttributeDefinitions, billingMode(in.BillingMode))
	}),
	serve.Step("quotas of units", "", checkUnitsOfCreate),
}

func checkEachIndex(in *api.CreateTableInput) error {
	specs := IndexSpecs(in)
	for i := range specs {
		ix := &specs[i]
		check := tables.CheckGlobalIndex(ix, in.AttributeDefinitions, billingMode(in.BillingMode))
		if ix.Local {
			check = tables.CheckLocalIndex(ix, in.KeySchema, in.AttributeDefinitions)
		}
		if check != nil {
			return check
		}
	}
	return nil
}

func checkUnitsOfCreate(in creation) error {
	var units []tables.IndexUnits
	for _, ix := range IndexSpecs(in.CreateTableInput) {
		units = append(units,
			tables.IndexUnits{Name: ix.Name, Units: tables.ProvisionedUnits(ix.Provisioned)})
	}
	return tables.CheckQuota(in.call.Region, tables.ProvisionedUnits(in.ProvisionedThroughput),
		units)
}

// checkSchemaGiven: the model does without AttributeDefinitions and KeySchema
// for the sake of GlobalTableSourceArn, nothing else does.
func checkSchemaGiven(in *api.CreateTableInput) error {
	var missing []string
	if in.AttributeDefinitions == nil {
		missing = append(missing,
			"Value null at 'attributeDefinitions' failed to satisfy constraint: Member must not be null")
	}
	if in.KeySchema == nil {
		missing = append(missing,
			"Value null at 'keySchema' failed to satisfy constraint: Member must not be null")
	}
	switch len(missing) {
	case 0:
		return nil
	case 1:
		return apierr.Invalid("1 validation error detected: " + missing[0])
	}
	return apierr.Invalid("2 validation errors detected: " + strings.Join(missing, "; "))
}

// checkIndexLists checks how many indexes there are of each kind, and whether the table can have
// any.
func checkIndexLists(in *api.CreateTableInput) error {
	if in.LocalSecondaryIndexes != nil {
		switch {
		case len(in.LocalSecondaryIndexes) == 0: // an empty list comes first (service facts 6.9)
			return apierr.BadParameter("List of LocalSecondaryIndexes is empty")
		case len(in.KeySchema) < 2:
			return apierr.BadParameter(
				"Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex")
		case len(in.LocalSecondaryIndexes) > tables.MaxLocalIndexes:
			return apierr.BadParameter(
				"Number of LocalSecondaryIndexes exceeds per-table limit of %d",
				tables.MaxLocalIndexes)
		}
	}
	if in.GlobalSecondaryIndexes != nil {
		switch n := len(in.GlobalSecondaryIndexes); {
		case n == 0:
			return apierr.BadParameter("List of GlobalSecondaryIndexes is empty")
		case n > tables.MaxGlobalIndexes:
			return errGlobalIndexes
		}
	}
	return nil
}

var errGlobalIndexes = apierr.BadParameter(
	"GlobalSecondaryIndex count exceeds the per-table limit of %d", tables.MaxGlobalIndexes)

// IndexSpecs are all indexes of a request, the local ones first.
func IndexSpecs(in *api.CreateTableInput) []tables.IndexSpec {
	var specs []tables.IndexSpec
	for _, ix := range in.LocalSecondaryIndexes {
		specs = append(specs,
			tables.IndexSpec{
				Name: string(*ix.IndexName), Local: true, Key: ix.KeySchema,
				Projection: ix.Projection,
			})
	}
	for _, ix := range in.GlobalSecondaryIndexes {
		specs = append(specs, tables.IndexSpec{
			Name: string(*ix.IndexName), Key: ix.KeySchema, Projection: ix.Projection,
			Provisioned: ix.ProvisionedThroughput, OnDemand: ix.OnDemandThroughput,
			Warm: ix.WarmThroughput,
		})
	}
	return specs
}

// billingMode is the capacity mode of a new table.
func billingMode(given *api.BillingMode) api.BillingMode {
	if given != nil && *given == tables.PayPerRequest {
		return tables.PayPerRequest
	}
	return tables.ProvisionedMode
}
