package control

import (
	"fmt"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/states"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage/item"
)

// checkIndexUpdates applies the rules on GlobalSecondaryIndexUpdates that need no table.
func checkIndexUpdates(updates []api.GlobalSecondaryIndexUpdate) error {
	seen := make(map[string]bool, len(updates))
	online := 0
	for i := range updates {
		up := &updates[i]
		name, err := updatedIndex(up)
		if err != nil {
			return err
		}
		if seen[name] {
			return apierr.BadParameter(
				"Only one global secondary index update per index is allowed simultaneously. Index: %s", name)
		}
		seen[name] = true
		if up.Update == nil {
			online++
		}
	}
	if online > 1 {
		return errOneOnline
	}
	return nil
}

// checkWarmUpdates checks that warm throughput of indexes has units (ack-api-quirks,
// DDB-TABLE-457).
func checkWarmUpdates(updates []api.GlobalSecondaryIndexUpdate) error {
	for _, up := range updates {
		if up.Update != nil && up.Update.WarmThroughput != nil &&
			*up.Update.WarmThroughput == (api.WarmThroughput{}) {
			return apierr.BadParameter(
				"WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond specified for index: %s", *up.Update.IndexName)
		}
	}
	return nil
}

var errIndexExists = apierr.Invalid("Attempting to create an index which already exists")

// errOneOnline is the error of a request for two changes of indexes that take time, which is the
// same as that of a change while another one goes on.
var errOneOnline = new(states.Changing).Error(states.Backfills, states.AnotherIndex)

// updatedIndex returns the name of the index that an update is for. The update must have exactly
// one of its three members.
func updatedIndex(up *api.GlobalSecondaryIndexUpdate) (string, error) {
	var names []string
	if up.Update != nil {
		names = append(names, string(*up.Update.IndexName))
	}
	if up.Create != nil {
		names = append(names, string(*up.Create.IndexName))
	}
	if up.Delete != nil {
		names = append(names, string(*up.Delete.IndexName))
	}
	switch len(names) {
	case 0:
		return "", apierr.BadParameter(
			"One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null")
	case 1:
		return names[0], nil
	}
	return "", apierr.BadParameter(
		"Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object")
}

// indexUpdate changes the global indexes of a table.
type indexUpdate struct{ *tableUpdate }

// indexes creates, changes and deletes global indexes.
func (u indexUpdate) indexes() error {
	if len(u.in.GlobalSecondaryIndexUpdates) > 0 && u.settings.Global != nil {
		if err := u.settings.CheckScaledIndexes(); err != nil {
			return err
		}
	}
	for i := range u.in.GlobalSecondaryIndexUpdates {
		up := &u.in.GlobalSecondaryIndexUpdates[i]
		var err error
		switch {
		case up.Create != nil:
			err = u.createIndex(up.Create)
		case up.Delete != nil:
			err = u.deleteIndex(string(*up.Delete.IndexName))
		default:
			err = u.updateIndex(up.Update)
		}
		if err != nil {
			return err
		}
	}
	return u.checkQuota()
}

// createIndex adds an index and fills it at once. Only its state shows how long the creation lasts.
func (u indexUpdate) createIndex(in *api.CreateGlobalSecondaryIndexAction) error {
	ix := tables.IndexSpec{
		Name: string(*in.IndexName), Key: in.KeySchema, Projection: in.Projection,
		Provisioned: in.ProvisionedThroughput, OnDemand: in.OnDemandThroughput,
		Warm: in.WarmThroughput,
	}
	if err := u.checkNewIndex(&ix); err != nil {
		return err
	}
	if err := define(u.call,
		request.KeyOfIndex(u.table.Name, in.IndexName, ix.Key, u.merged())); err != nil {
		return err
	}
	u.settings.Definitions = u.merged()
	tables.SortDefinitions(u.settings.Definitions)
	schema := ix.Schema(u.settings.Definitions)
	u.tx.Tables().AddIndex(u.table, schema)
	u.dropUnused()
	u.settings.Indexes = append(u.settings.Indexes, tables.IndexSettings{
		Name:     schema.Name,
		Capacity: tables.NewCapacity(ix.Provisioned, ix.OnDemand, ix.Warm),
		State:    tables.Transition{Status: tables.Creating, Until: u.now.Add(2 * u.delay)},
		Online:   true,
		Backfill: u.now.Add(u.delay),
	})
	if u.settings.Global != nil {
		u.settings.ScaleNewIndex(u.call.Owner, u.group.name, schema.Name)
	}
	return nil
}

// checkNewIndex checks an index against the table. The request's definitions are merged into
// those of the table (service facts 6.7).
func (u indexUpdate) checkNewIndex(ix *tables.IndexSpec) error {
	if u.tx.Tables().Index(u.table, ix.Name) != nil ||
		u.tx.Vectors().Index(u.table, ix.Name) != nil {
		return errIndexExists
	}
	if err := u.checkOnline(""); err != nil {
		return err
	}
	if len(u.settings.Indexes) >= tables.MaxGlobalIndexes {
		return tables.ErrLimit("Number of global secondary indexes exceeds per-table limit of %d",
			tables.MaxGlobalIndexes)
	}
	if u.in.AttributeDefinitions == nil {
		return apierr.BadParameter("AttributeDefinitions is not specified for index: %s", ix.Name)
	}
	// the words are others than CreateTable's: ack-api-quirks, DDB-TABLE-152 and -442
	switch onDemand := u.settings.Billing.OnDemandMode(); {
	case !onDemand && ix.Provisioned == nil:
		return apierr.BadParameter(
			"Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: %s", ix.Name)
	case onDemand && ix.Provisioned != nil:
		return apierr.BadParameter("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified "+
			"for index: %s when BillingMode is PAY_PER_REQUEST", ix.Name)
	}
	if err := tables.CheckDefinitionCount(ix.Key,
		u.in.AttributeDefinitions); err != nil {
		return err
	}
	if err := tables.CheckGlobalIndex(ix, u.merged(), u.settings.Billing.Mode); err != nil {
		return err
	}
	if err := u.checkTypes(ix.Key); err != nil {
		return err
	}
	return tables.CheckIndexes(append(u.specs(), *ix))
}

// checkTypes checks the types that the request gives the attributes of a new index's key against
// their types in other keys (service facts 6.5). Other attributes that are already keys keep their
// types, whatever the request says (service facts 6.6).
func (u indexUpdate) checkTypes(key api.KeySchema) error {
	for _, e := range key {
		if v := u.vectorOf(string(*e.AttributeName)); v != nil { // service facts V.1.7
			return errRedefined(printVector(v.Attribute, v.Dimensions),
				printSchema(key, u.merged()))
		}
		given, known := tables.TypeOf(*e.AttributeName,
			u.in.AttributeDefinitions), tables.TypeOf(*e.AttributeName, u.settings.Definitions)
		if given == item.NoType || known == item.NoType || given == known {
			continue
		}
		return errRedefined(printSchema(u.keyWith(*e.AttributeName), u.settings.Definitions),
			printSchema(key,
				append(slices.Clone(u.in.AttributeDefinitions), u.settings.Definitions...)))
	}
	return nil
}

// errRedefined returns the error of an attribute whose type differs between two schemas.
func errRedefined(existing, given string) error {
	return apierr.BadParameter(
		"Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. "+
			"Existing schema: %s New schema: %s", existing, given)
}

// keyWith returns the key, of the table or of an index, that has an attribute.
func (u indexUpdate) keyWith(name api.KeySchemaAttributeName) api.KeySchema {
	keys := []api.KeySchema{tables.APIKey(u.table.Key)}
	for _, ix := range u.specs() {
		keys = append(keys, ix.Key)
	}
	for _, key := range keys {
		if slices.Contains(tables.KeyNames(key), string(name)) {
			return key
		}
	}
	return nil
}

// printSchema formats a key for the message of checkTypes: Schema:[SchemaElement: key{x:S:HASH}].
func printSchema(key api.KeySchema, definitions []api.AttributeDefinition) string {
	elements := make([]string, len(key))
	for i, e := range key {
		elements[i] = fmt.Sprintf("SchemaElement: key{%s:%s:%s}", *e.AttributeName,
			tables.TypeOf(*e.AttributeName, definitions), *e.KeyType)
	}
	return "Schema:" + tables.Listed(elements)
}

// checkOnline returns an error if another index is being created or deleted. A request may delete
// the named index while it is still being created only when it is backfilled (API Reference,
// GlobalSecondaryIndexDescription, Backfilling).
func (u indexUpdate) checkOnline(deleted string) error {
	x := new(states.Changing)
	for i := range u.settings.Indexes {
		is := &u.settings.Indexes[i]
		phase := states.IndexPhase(is, u.now)
		if phase == states.Backfills && is.Gone == nil && is.Name == deleted {
			continue
		}
		if err := x.Error(phase, states.AnotherIndex); err != nil {
			return err
		}
	}
	for i := range u.settings.Vectors {
		is := &u.settings.Vectors[i]
		phase := states.VectorPhase(is, u.now)
		if phase == states.VectorFills && is.Gone == nil && is.Name == deleted {
			continue
		}
		if err := x.Error(phase, states.AnotherIndex); err != nil {
			return err
		}
	}
	return nil
}

// checkDefinitions checks that the request defines no attribute twice.
func (u indexUpdate) checkDefinitions() error {
	return tables.CheckDistinct(u.in.AttributeDefinitions)
}

// merged returns the table's definitions and those of the request.
func (u indexUpdate) merged() []api.AttributeDefinition {
	merged := slices.Clone(u.settings.Definitions)
	// none of them twice: see checkDefinitions
	for _, d := range tables.KeptDefinitions(u.in.AttributeDefinitions) {
		if tables.TypeOf(*d.AttributeName, u.settings.Definitions) == item.NoType {
			merged = append(merged, d)
		}
	}
	return merged
}

// specs returns the table's indexes.
func (u indexUpdate) specs() []tables.IndexSpec {
	var specs []tables.IndexSpec
	for _, ix := range u.tx.Tables().Indexes(u.table) {
		specs = append(specs,
			tables.IndexSpec{
				Name: ix.Name, Local: ix.Local, Key: tables.APIKey(ix.Key),
				Projection: tables.APIProjection(ix.Projection),
			})
	}
	return specs
}

// deleteIndex removes an index, and the definitions that only it used.
func (u indexUpdate) deleteIndex(name string) error {
	is, err := u.index(name, "delete")
	if err != nil {
		return err
	}
	if err := u.checkOnline(name); err != nil {
		return err
	}
	ix := u.tx.Tables().Index(u.table, name)
	schema := ix.IndexSchema
	is.Gone, is.Stats, is.State = &schema, u.tx.Tables().
		IndexStats(u.table, ix), u.passing(tables.Deleting)
	u.tx.Tables().DropIndex(u.table, ix)
	u.dropUnused()
	return nil
}

// dropUnused removes the definitions that no key uses.
func (u indexUpdate) dropUnused() {
	used := append(tables.KeyNames(tables.APIKey(u.table.Key)), u.searchNames()...)
	for _, ix := range u.specs() {
		used = append(used, tables.KeyNames(ix.Key)...)
	}
	u.settings.Definitions = slices.DeleteFunc(
		u.settings.Definitions, func(d api.AttributeDefinition) bool {
			return !slices.Contains(used, string(*d.AttributeName))
		})
}

// updateIndex changes the throughput of an index. (ack-api-quirks, DDB-TABLE-457, has the error of
// an update without anything.)
func (u indexUpdate) updateIndex(in *api.UpdateGlobalSecondaryIndexAction) error {
	name := string(*in.IndexName)
	is, err := u.index(name, "update")
	if err != nil {
		if tables.CheckUnits(in.ProvisionedThroughput, "") != nil { // service facts D.1
			return apierr.Invalid("This operation cannot be performed with given input values. " +
				"Please contact DynamoDB service team for more info: Action Blocked: IndexUpdate")
		}
		return err
	}
	onDemand := in.OnDemandThroughput
	if onDemand != nil && *onDemand == (api.OnDemandThroughput{}) {
		onDemand = nil
	}
	nothing := in.ProvisionedThroughput == nil && onDemand == nil && in.WarmThroughput == nil
	if (nothing || in.ProvisionedThroughput != nil) && u.settings.Billing.OnDemandMode() {
		// ack-api-quirks, DDB-TABLE-152
		return apierr.BadParameter(
			"The only Updates for index: %s when TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput", name)
	}
	if nothing {
		return apierr.BadParameter(
			"At least one of ProvisionedThroughput, OnDemandThroughput or WarmThroughput is required for index: %s", name)
	}
	if in.ProvisionedThroughput != nil {
		if err := tables.CheckUnits(in.ProvisionedThroughput, " for index "+name); err != nil {
			return err
		}
		if err := is.Capacity.Change(tables.ProvisionedUnits(in.ProvisionedThroughput), u.now,
			"index "+name); err != nil {
			return err
		}
	}
	if err := tables.CheckOtherOnDemand(in.OnDemandThroughput, u.settings.Billing.Mode,
		"index : "+name); err != nil {
		return err
	}
	is.Capacity.OnDemand.Set(in.OnDemandThroughput)
	if !warmOnly(in) && is.State.At(u.now) == tables.Active { // else it is being backfilled
		is.State = u.passing(tables.Updating)
	}
	return u.setWarm(&is.Capacity, in.WarmThroughput, "index "+name)
}

// index returns the settings of a global index for the update to delete or update (ack-api-quirks,
// DDB-TABLE-442 and 446, has the errors).
func (u indexUpdate) index(name, change string) (*tables.IndexSettings, error) {
	if is := u.settings.Index(name); is != nil {
		return is, nil
	}
	if u.tx.Tables().Index(u.table, name) != nil || u.settings.Vector(name) != nil {
		return nil, apierr.Invalid("Cannot %s an index that is not a GlobalSecondaryIndex: %s",
			change, name)
	}
	return nil, u.errNoIndex(name)
}

func (u indexUpdate) errNoIndex(name string) error {
	return &apierr.Error{
		Type:    apierr.ResourceNotFound,
		Message: "Requested resource not found: Index " + name + " for table " + u.table.Name,
	}
}

// checkQuota checks the throughput that the table and its indexes have after the update.
func (u indexUpdate) checkQuota() error {
	table := u.settings.Capacity.Provisioned.Units
	if u.in.ProvisionedThroughput != nil {
		table = tables.ProvisionedUnits(u.in.ProvisionedThroughput)
	}
	var units []tables.IndexUnits
	for i := range u.settings.Indexes {
		if is := &u.settings.Indexes[i]; is.Gone == nil {
			units = append(units,
				tables.IndexUnits{Name: is.Name, Units: is.Capacity.Provisioned.Units})
		}
	}
	return tables.CheckQuota(u.call.Region, table, units)
}
