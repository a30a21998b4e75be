package tables

import (
	"slices"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/storage"
)

// Restore is a request of either operation that restores a table. Members that are nil come from
// the source.
type Restore struct {
	Target      string
	Billing     *api.BillingMode
	Provisioned *api.ProvisionedThroughput
	OnDemand    *api.OnDemandThroughput
	Global      []api.GlobalSecondaryIndex
	Local       []api.LocalSecondaryIndex
	Vectors     []api.VectorIndex
	Encryption  *api.SSESpecification
}

// RestoreSource is the source that a table is restored from.
type RestoreSource struct {
	Key      storage.KeySchema
	Indexes  []storage.IndexSchema
	Vectors  []storage.VectorSchema
	Settings *Settings
}

// AsCreateTable returns a request that creates a table like the restored one, without its items.
// Settings that the restore does not override come from the source. A restored table has no tags,
// streams, time to live, deletion protection and point-in-time recovery (Developer Guide,
// "Point-in-time backups"), and the standard table class (Developer Guide, "Restoring a DynamoDB
// table from a backup").
func (r *Restore) AsCreateTable(from *RestoreSource) (*api.CreateTableInput, error) {
	mode := from.Settings.Billing.Mode
	if r.Billing != nil {
		mode = *r.Billing
	}
	in := &api.CreateTableInput{
		TableName:   api.Ref(api.TableArn(r.Target)),
		KeySchema:   APIKey(from.Key),
		BillingMode: &mode,
	}
	if err := r.checkUnits(mode, from.Settings.Billing.Mode); err != nil {
		return nil, err
	}
	in.ProvisionedThroughput, in.OnDemandThroughput = r.Provisioned, r.OnDemand
	if mode == from.Settings.Billing.Mode {
		from.Settings.Capacity.complete(mode, &in.ProvisionedThroughput, &in.OnDemandThroughput)
	}
	in.SSESpecification = r.Encryption
	if in.SSESpecification == nil {
		in.SSESpecification = from.Settings.Encryption.given()
	}
	var err error
	if in.LocalSecondaryIndexes, err = r.localIndexes(from); err != nil {
		return nil, err
	}
	if in.GlobalSecondaryIndexes, err = r.globalIndexes(from, mode); err != nil {
		return nil, err
	}
	if in.VectorIndexes, err = r.vectorIndexes(from); err != nil {
		return nil, err
	}
	in.AttributeDefinitions = usedDefinitions(in, from.Settings.Definitions)
	return in, nil
}

// CheckOnDemand checks the range of the maximum throughput (ack-api-quirks, DDB-TABLE-457).
func (r *Restore) CheckOnDemand() error {
	if r.OnDemand == nil {
		return nil
	}
	for _, u := range []struct {
		name  string
		value *int64
	}{{"MaxReadRequestUnits", r.OnDemand.MaxReadRequestUnits},
		{"MaxWriteRequestUnits", r.OnDemand.MaxWriteRequestUnits}} {
		if u.value != nil && *u.value < 1 {
			return apierr.Invalid(
				"Invalid Request: Requested %s for OnDemandThroughput is outside of valid range",
				u.name)
		}
	}
	return nil
}

// checkUnits checks the units of a restored table against its mode and that of the source
// (ack-api-quirks, DDB-TABLE-273 and 442, probes of the service).
func (r *Restore) checkUnits(mode, had api.BillingMode) error {
	switch onDemand := mode == PayPerRequest; {
	case r.Provisioned != nil && onDemand && r.Billing != nil:
		return apierr.Invalid(
			"Invalid Request: Cannot override ProvisionedThroughput if BillingMode is overridden to PAY_PER_REQUEST")
	case r.Provisioned != nil && onDemand:
		return apierr.Invalid(
			"Invalid Request: Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED")
	case r.Provisioned == nil && !onDemand && had == PayPerRequest:
		return apierr.Invalid(
			"Invalid Request: Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED")
	case r.OnDemand != nil && !onDemand: // ack-api-quirks, DDB-TABLE-280
		return apierr.Invalid("Invalid Request: Cannot override MaxReadRequestUnits for OnDemandThroughput " +
			"unless BillingModeOverride is PAY_PER_REQUEST")
	}
	return r.checkIndexUnits(mode)
}

// checkIndexUnits checks the units of the indexes of a restored table (ack-api-quirks,
// DDB-TABLE-280).
func (r *Restore) checkIndexUnits(mode api.BillingMode) error {
	for _, ix := range r.Global {
		switch {
		case mode != PayPerRequest && ix.ProvisionedThroughput == nil:
			return apierr.Invalid(
				"Invalid Request: Must specify provisioned throughput for index %s", *ix.IndexName)
		case mode == PayPerRequest && ix.ProvisionedThroughput != nil && r.Billing != nil:
			return apierr.Invalid("Invalid Request: Cannot override ProvisionedThroughput if "+
				"BillingMode is overridden to PAY_PER_REQUEST for index %s", *ix.IndexName)
		case mode == PayPerRequest && ix.ProvisionedThroughput != nil: // inferred
			return apierr.Invalid("Invalid Request: Cannot override ProvisionedThroughput unless "+
				"BillingMode is PROVISIONED for index %s", *ix.IndexName)
		}
	}
	return nil
}

// complete fills in throughput of the source that the request does not override. The source must
// have the same mode.
func (c *Capacity) complete(mode api.BillingMode, p **api.ProvisionedThroughput,
	o **api.OnDemandThroughput) {
	if *p == nil && mode != PayPerRequest {
		*p = c.Provisioned.given()
	}
	if *o == nil {
		*o = c.OnDemand.describe()
	}
}

// localIndexes returns the local indexes of the restored table.
func (r *Restore) localIndexes(from *RestoreSource) (list []api.LocalSecondaryIndex, err error) {
	for _, ix := range r.Local {
		given := IndexSpec{
			Name: string(*ix.IndexName), Local: true, Key: ix.KeySchema, Projection: ix.Projection,
		}
		if err := from.mustHave(&given); err != nil {
			return nil, err
		}
		list = append(list, ix)
	}
	for _, ix := range from.Indexes {
		if ix.Local && r.Local == nil {
			list = append(list, api.LocalSecondaryIndex{
				IndexName: api.Ref(api.IndexName(ix.Name)), KeySchema: APIKey(ix.Key),
				Projection: APIProjection(ix.Projection)})
		}
	}
	return list, nil
}

// globalIndexes returns the global indexes of the restored table.
func (r *Restore) globalIndexes(from *RestoreSource,
	mode api.BillingMode) (list []api.GlobalSecondaryIndex, err error) {
	for _, ix := range r.Global {
		given := IndexSpec{
			Name: string(*ix.IndexName), Key: ix.KeySchema, Projection: ix.Projection,
		}
		if err := from.mustHave(&given); err != nil {
			return nil, err
		}
		list = append(list, ix)
	}
	for _, ix := range from.Indexes {
		if !ix.Local && r.Global == nil {
			list = append(list, api.GlobalSecondaryIndex{
				IndexName: api.Ref(api.IndexName(ix.Name)), KeySchema: APIKey(ix.Key),
				Projection: APIProjection(ix.Projection)})
		}
	}
	for i := range list {
		ix := &list[i]
		given := IndexSpec{
			Name: string(*ix.IndexName), Key: ix.KeySchema, Projection: ix.Projection,
		}
		is := from.Settings.Index(from.Match(&given).Name)
		if is != nil && mode == from.Settings.Billing.Mode {
			is.Capacity.complete(mode, &ix.ProvisionedThroughput, &ix.OnDemandThroughput)
		}
	}
	return list, nil
}

// mustHave returns an error unless the source has the given index ("The indexes provided should
// match existing secondary indexes": API Reference, RestoreTableFromBackup).
func (from *RestoreSource) mustHave(given *IndexSpec) error {
	if from.Match(given) != nil {
		return nil
	}
	return apierr.Invalid(
		"Invalid Request: Index %s does not match a secondary index that existed in the source table "+
			"and cannot be created during the restore operation", given.Name)
}

// Match returns the index of the source that an index of a restored table is: one with its key and
// its projection, and its name if there is one. The name may be another one (ack-api-quirks,
// DDB-TABLE-280).
func (from *RestoreSource) Match(given *IndexSpec) (match *storage.IndexSchema) {
	if given.Projection.ProjectionType == nil {
		return nil
	}
	want := given.Schema(from.Settings.Definitions)
	for i := range from.Indexes {
		ix := &from.Indexes[i]
		if ix.Local != given.Local || !slices.Equal(ix.Key.Hash, want.Key.Hash) ||
			!slices.Equal(ix.Key.Range, want.Key.Range) ||
			ix.Projection.Type != want.Projection.Type ||
			!sameNames(ix.Projection.NonKey, want.Projection.NonKey) {
			continue
		}
		if match == nil || ix.Name == given.Name {
			match = ix
		}
	}
	return match
}

func sameNames(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// usedDefinitions returns the definitions of the attributes that a table's keys use.
func usedDefinitions(in *api.CreateTableInput,
	all []api.AttributeDefinition) (used []api.AttributeDefinition) {
	names := map[string]bool{}
	add := func(key api.KeySchema) {
		for _, e := range key {
			names[string(*e.AttributeName)] = true
		}
	}
	add(in.KeySchema)
	for _, ix := range in.LocalSecondaryIndexes {
		add(ix.KeySchema)
	}
	for _, ix := range in.GlobalSecondaryIndexes {
		add(ix.KeySchema)
	}
	for _, name := range vectorNames(in.VectorIndexes) {
		names[name] = true
	}
	for _, d := range all {
		if names[string(*d.AttributeName)] {
			used = append(used, d)
		}
	}
	return used
}

// vectorIndexes returns the vector indexes of a restored table.
func (r *Restore) vectorIndexes(from *RestoreSource) (list []api.VectorIndex, err error) {
	for i := range r.Vectors {
		if err := from.mustHaveVector(&r.Vectors[i]); err != nil {
			return nil, err
		}
	}
	if len(r.Vectors) > 0 {
		return r.Vectors, nil
	}
	for i := range from.Vectors {
		if r.Vectors == nil {
			list = append(list, APIVector(&from.Vectors[i]))
		}
	}
	return list, nil
}

// mustHaveVector returns an error unless the source has exactly the given vector index.
func (from *RestoreSource) mustHaveVector(given *api.VectorIndex) error {
	if given.Projection.ProjectionType == nil {
		return errNoVector(string(*given.IndexName))
	}
	want := VectorSchema(given, from.Settings.Definitions)
	for _, ix := range from.Vectors {
		if ix.Name == want.Name && ix.Attribute == want.Attribute &&
			ix.Dimensions == want.Dimensions && ix.Distance == want.Distance &&
			slices.Equal(ix.Hash, want.Hash) && slices.Equal(ix.Filters, want.Filters) &&
			ix.Projection.Type == want.Projection.Type &&
			sameNames(ix.Projection.NonKey, want.Projection.NonKey) {
			return nil
		}
	}
	return errNoVector(want.Name)
}

func errNoVector(name string) error {
	return apierr.BadParameter(
		"VectorIndexOverride: index does not match an index of the source table: %s", name)
}
