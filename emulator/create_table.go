package emulator

import (
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/storage"
)

func createTable(c *call, in *api.CreateTableInput) (*api.CreateTableOutput, error) {
	if err := checkCreateTable(in); err != nil {
		return nil, err
	}
	name := strings.Clone(string(*in.TableName))
	settings, err := c.newSettings(in, c.now())
	if err != nil {
		return nil, err
	}
	out := new(api.CreateTableOutput)
	return out, c.store.Update(func(tx *storage.Tx) error {
		c.dropGone(tx, name)
		if t := tx.Table(name); t != nil {
			if err := busy(name, settingsOf(tx, t).state.at(c.now())); err != nil {
				return err
			}
			return &apierr.Error{Type: apierr.ResourceInUse, Message: "Table already exists: " + name}
		}
		out.TableDescription = c.create(tx, name, in, settings)
		return nil
	})
}

func createTableTargets(in *api.CreateTableInput, ts *targets) {
	ts.add(target{table: tableCalled(in.TableName)})
}

// create adds the table and describes it as the service does in its answer: as being created.
func (c *call) create(tx *storage.Tx, name string, in *api.CreateTableInput, s *tableSettings) *api.TableDescription {
	var schemas []storage.IndexSchema
	for _, ix := range indexSpecs(in) {
		schemas = append(schemas, ix.schema(s.definitions))
	}
	t := tx.CreateTable(name, c.newTableID(), storageKey(in.KeySchema, s.definitions), schemas, s)
	now := c.now()
	startStream(tx, t, &s.stream, now)
	s.state = transition{creating, now.Add(c.delays().create)}
	answer := c.describe(tx, t, s, now.Add(-1))
	tx.SetSettings(t, s.settle(now))
	return answer
}

// newSettings are the settings of a new table.
func (c *call) newSettings(in *api.CreateTableInput, now time.Time) (*tableSettings, error) {
	tags, err := tagged(nil, in.Tags)
	if err != nil {
		return nil, err
	}
	s := &tableSettings{
		definitions: keptDefinitions(in.AttributeDefinitions),
		billing:     billing{mode: billingMode(in.BillingMode)},
		capacity:    newCapacity(in.ProvisionedThroughput, in.OnDemandThroughput, in.WarmThroughput),
		stream:      newStream(in.StreamSpecification, now),
		encryption:  c.encryption(in.SSESpecification),
		class:       tableClass{class: api.Deref(api.Clone(in.TableClass))},
		tags:        tags,
		protected:   api.Deref(in.DeletionProtectionEnabled),
	}
	if s.billing.onDemandMode() {
		s.billing.onDemand = now
	}
	for _, ix := range in.GlobalSecondaryIndexes {
		s.indexes = append(s.indexes, indexSettings{
			name:     string(*api.Clone(ix.IndexName)),
			capacity: newCapacity(ix.ProvisionedThroughput, ix.OnDemandThroughput, ix.WarmThroughput),
		})
	}
	return s, nil
}

// checkCreateTable applies all rules that need no look at the tables there are.
func checkCreateTable(in *api.CreateTableInput) error {
	if err := unsupported(
		parameter{"ResourcePolicy", in.ResourcePolicy != nil},
		parameter{"GlobalTableSourceArn", in.GlobalTableSourceArn != nil},
		parameter{"GlobalTableSettingsReplicationMode", in.GlobalTableSettingsReplicationMode != nil},
		parameter{"VectorIndexes", in.VectorIndexes != nil},
	); err != nil {
		return err
	}
	// To create a table by ARN would be to create it elsewhere.
	if !validName(string(*in.TableName)) {
		return apierr.Invalid(apierr.Envelope + "Value '" + string(*in.TableName) + "' at 'tableName' failed to satisfy constraint: " +
			"Member must satisfy regular expression pattern: " + api.NamePattern)
	}
	if err := checkThroughput(in); err != nil {
		return err
	}
	if err := checkSchema(in); err != nil {
		return err
	}
	if err := checkStream(in.StreamSpecification, createNeedsView, createRefusesView); err != nil {
		return err
	}
	if err := checkEncryption(in.SSESpecification); err != nil {
		return err
	}
	return checkTags(in.Tags)
}

// checkThroughput checks the throughput of the table itself.
func checkThroughput(in *api.CreateTableInput) error {
	if err := checkUnits(in.ProvisionedThroughput, ""); err != nil {
		return err
	}
	mode := billingMode(in.BillingMode)
	switch {
	case mode == payPerRequest && in.ProvisionedThroughput != nil:
		return errNeitherUnits
	case mode != payPerRequest && in.ProvisionedThroughput == nil:
		return errBothUnits
	}
	if err := checkNewOnDemand(in.OnDemandThroughput, mode, "table"); err != nil {
		return err
	}
	return checkNewWarm(in.WarmThroughput, mode, provisionedUnits(in.ProvisionedThroughput), "table")
}

// checkSchema checks the keys of the table and of its indexes.
func checkSchema(in *api.CreateTableInput) error {
	if err := checkSchemaGiven(in); err != nil {
		return err
	}
	if err := checkDistinct(in.AttributeDefinitions); err != nil {
		return err
	}
	if err := checkTableDefined(in.KeySchema, in.AttributeDefinitions); err != nil {
		return err
	}
	if err := checkKeySchema(in.KeySchema, tableShape); err != nil {
		return err
	}
	if err := checkIndexLists(in); err != nil {
		return err
	}
	specs := indexSpecs(in)
	total := []units{provisionedUnits(in.ProvisionedThroughput)}
	for i := range specs {
		ix := &specs[i]
		total = append(total, provisionedUnits(ix.provisioned))
		check := checkGlobalIndex(ix, in.AttributeDefinitions, billingMode(in.BillingMode))
		if ix.local {
			check = checkLocalIndex(ix, in.KeySchema, in.AttributeDefinitions)
		}
		if check != nil {
			return check
		}
	}
	if err := checkIndexes(specs); err != nil {
		return err
	}
	if err := checkAllUsed(in.AttributeDefinitions, in.KeySchema, specs); err != nil {
		return err
	}
	return checkTotal(total...)
}

// checkSchemaGiven: the model does without AttributeDefinitions and KeySchema
// for the sake of GlobalTableSourceArn, nothing else does.
func checkSchemaGiven(in *api.CreateTableInput) error {
	var missing []string
	if in.AttributeDefinitions == nil {
		missing = append(missing, "Value null at 'attributeDefinitions' failed to satisfy constraint: Member must not be null")
	}
	if in.KeySchema == nil {
		missing = append(missing, "Value null at 'keySchema' failed to satisfy constraint: Member must not be null")
	}
	switch len(missing) {
	case 0:
		return nil
	case 1:
		return apierr.Invalid("1 validation error detected: " + missing[0])
	}
	return apierr.Invalid("2 validation errors detected: " + strings.Join(missing, "; "))
}

// checkIndexLists checks how many indexes there are of each kind, and whether the table can have any.
func checkIndexLists(in *api.CreateTableInput) error {
	if in.LocalSecondaryIndexes != nil {
		switch {
		case len(in.LocalSecondaryIndexes) == 0: // before the rest (service facts 6.9)
			return apierr.BadParameter("List of LocalSecondaryIndexes is empty")
		case len(in.KeySchema) < 2:
			return apierr.BadParameter("Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex")
		case len(in.LocalSecondaryIndexes) > maxLocalIndexes:
			return apierr.BadParameter("Number of LocalSecondaryIndexes exceeds per-table limit of %d", maxLocalIndexes)
		}
	}
	if in.GlobalSecondaryIndexes != nil {
		switch n := len(in.GlobalSecondaryIndexes); {
		case n == 0:
			return apierr.BadParameter("List of GlobalSecondaryIndexes is empty")
		case n > maxGlobalIndexes:
			return errGlobalIndexes
		}
	}
	return nil
}

var errGlobalIndexes = apierr.BadParameter("GlobalSecondaryIndex count exceeds the per-table limit of %d", maxGlobalIndexes)

// indexSpecs are all indexes of a request, the local ones first.
func indexSpecs(in *api.CreateTableInput) []indexSpec {
	var specs []indexSpec
	for _, ix := range in.LocalSecondaryIndexes {
		specs = append(specs, indexSpec{name: string(*ix.IndexName), local: true, key: ix.KeySchema, projection: ix.Projection})
	}
	for _, ix := range in.GlobalSecondaryIndexes {
		specs = append(specs, indexSpec{
			name: string(*ix.IndexName), key: ix.KeySchema, projection: ix.Projection,
			provisioned: ix.ProvisionedThroughput, onDemand: ix.OnDemandThroughput, warm: ix.WarmThroughput,
		})
	}
	return specs
}

// billingMode is the capacity mode of a new table.
func billingMode(given *api.BillingMode) api.BillingMode {
	if given != nil && *given == payPerRequest {
		return payPerRequest
	}
	return provisionedMode
}
