package conformance

import (
	"strings"
	"testing"
)

// TestUpdateTableRules checks the errors of UpdateTable for an on-demand table and for one with
// provisioned throughput. No case changes the tables.
func TestUpdateTableRules(t *testing.T) {
	t.Parallel()
	const invalid = "ValidationException: One or more parameter values were invalid: "
	const attributes = `"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"}]`
	const throughput = `"ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":2}`
	const key = `,"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]`
	byG := index("byg", "ALL", "g")
	demand := newTable(t, keys("pk:S", "g:S")+`,"GlobalSecondaryIndexes":[`+byG+`]`).name
	units := newTable(t,
		throughput+`,`+attributes+key+`,"GlobalSecondaryIndexes":[`+
			strings.TrimSuffix(byG, "}")+`,`+throughput+`}]`).name
	of := func(table string, members ...string) string {
		return `{"TableName":"` + table + `",` + strings.Join(members, ",") + `}`
	}
	updates := func(list ...string) string {
		return `"GlobalSecondaryIndexUpdates":[` + strings.Join(list, ",") + `]`
	}
	create := `{"Create":` + index("new", "ALL", "n") + `}`
	withN := strings.Replace(attributes, `"g"`, `"n"`, 1)
	const (
		remove = `{"Delete":{"IndexName":"byg"}}`
		stream = `"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}`
		more   = `"ProvisionedThroughput":{"ReadCapacityUnits":3,"WriteCapacityUnits":3}`
		warm   = `"WarmThroughput":{"ReadUnitsPerSecond":13000}`
		most   = `"OnDemandThroughput":{"MaxReadRequestUnits":10}`
	)
	run(t, defaults{
		src: "API Reference, UpdateTable; the texts are those of ack-api-quirks, DDB-TABLE-174, -382 and -442", op: "UpdateTable",
	}, []kase{
		{name: "encryption and another",
			in: of(demand, `"SSESpecification":{"Enabled":true}`, stream),
			err: invalid +
				"Server-Side Encryption modification must be the only operation in the request"},
		{name: "deletion protection and another",
			in: of(demand, `"DeletionProtectionEnabled":true`, stream),
			err: invalid +
				"DeletionProtection modification must be the only operation in the request"},
		{name: "table class and another",
			in:  of(demand, `"TableClass":"STANDARD_INFREQUENT_ACCESS"`, stream),
			err: invalid + "TableClass modification must be the only operation in the request"},
		{name: "maximum throughput and a stream", in: of(demand, most, stream),
			err: invalid +
				"OnDemandThroughput can only be combined with BillingMode in an UpdateTable request"},
		{name: "warm throughput and a new index", in: of(demand, warm, withN, updates(create)),
			err: invalid +
				"Create global secondary index cannot be specified when updating WarmThroughput"},
		{name: "warm throughput and another", in: of(demand, warm, stream),
			err: invalid + "WarmThroughput must be the only operation in the request"},
		{name: "throughput and a stream", in: of(units, more, stream),
			err: invalid + "You cannot modify stream status while updating table IOPS"},
		{name: "throughput and a new index", in: of(units, more, withN, updates(create)),
			err: invalid + "You cannot create or delete index while updating table IOPS"},
		{name: "settings of a global table", src: "ack-api-quirks, DDB-TABLE-442",
			in: of(demand, `"GlobalTableSettingsReplicationMode":"ENABLED_WITH_OVERRIDES"`),
			err: "ValidationException: Value 'ENABLED_WITH_OVERRIDES' at 'GlobalTableSettingsReplicationMode' failed to satisfy constraint: " +
				"Only ENABLED and DISABLED settings replication are supported for a Regional Table."},
		{name: "a stream and a new index", in: of(demand, stream, withN, updates(create)),
			err: invalid + "You cannot create or delete index while changing stream status"},
	})
	run(t, defaults{
		src: "API Reference, UpdateTable, StreamSpecification, SSESpecification and ProvisionedThroughput", op: "UpdateTable",
	}, []kase{
		{name: "a stream without a view",
			in:  of(demand, `"StreamSpecification":{"StreamEnabled":true}`),
			err: invalid + "If stream is being enabled then UpdateViewType is required"},
		{name: "no stream to disable",
			in:  of(demand, `"StreamSpecification":{"StreamEnabled":false}`),
			err: "ValidationException: *"},
		{name: "encryption by the service's key already",
			in:  of(demand, `"SSESpecification":{"Enabled":false}`),
			err: invalid + "Table is already encrypted by default"},
		{name: "encryption of an unknown type",
			in:  of(demand, `"SSESpecification":{"Enabled":true,"SSEType":"NONE"}`),
			err: "ValidationException: 1 validation error detected: Value 'NONE' at 'sSESpecification.sSEType' failed to satisfy constraint: Member must satisfy enum value set: [AES256, KMS]"},
		{name: "a key without its type",
			in:  of(demand, `"SSESpecification":{"Enabled":true,"KMSMasterKeyId":"alias/kugiri"}`),
			err: "ValidationException: *"},
		{name: "a key for no encryption",
			in: of(demand,
				`"SSESpecification":{"Enabled":false,"SSEType":"KMS","KMSMasterKeyId":"alias/kugiri"}`), err: "ValidationException: *"},
		{name: "throughput on demand", in: of(demand, throughput),
			err: invalid +
				"Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"},
		{name: "throughput beyond the quota",
			src: "Developer Guide, Quotas, Throughput default quotas",
			in: of(units,
				`"ProvisionedThroughput":{"ReadCapacityUnits":400000,"WriteCapacityUnits":2}`),
			err: "LimitExceededException: *"},
		{name: "provisioned, without throughput for the index",
			in:  of(demand, `"BillingMode":"PROVISIONED"`, throughput),
			err: invalid + "ProvisionedThroughput must be specified for index: byg"},
		{name: "maximum throughput of a provisioned table", in: of(units, most),
			err: "ValidationException: *"},
		{name: "maximum throughput of nothing", in: of(demand, `"OnDemandThroughput":{}`),
			err: "ValidationException: *"},
		{name: "warm throughput of nothing", in: of(demand, `"WarmThroughput":{}`),
			err: "ValidationException: *"},
		{name: "less warm throughput than the current one",
			in:  of(demand, `"WarmThroughput":{"WriteUnitsPerSecond":3999}`),
			err: "ValidationException: *"},
	})
	run(t, defaults{
		src: "API Reference, UpdateTable, GlobalSecondaryIndexUpdates", op: "UpdateTable",
	}, []kase{
		{name: "an update of two kinds",
			in: of(demand, updates(`{"Delete":{"IndexName":"byg"},"Update":{"IndexName":"byg"}}`)),
			err: invalid +
				"Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object"},
		{name: "an update of no kind", in: of(demand, updates(`{}`)),
			err: "ValidationException: *"},
		{name: "two updates of an index",
			in: of(units, updates(remove, `{"Update":{"IndexName":"byg",`+more+`}}`)),
			err: invalid +
				"Only one global secondary index update per index is allowed simultaneously. Index: byg"},
		{name: "nothing to update", in: of(demand, updates(`{"Update":{"IndexName":"byg"}}`)),
			err: "ValidationException: *"},
		{name: "throughput of an index on demand",
			in:  of(demand, updates(`{"Update":{"IndexName":"byg",`+throughput+`}}`)),
			err: "ValidationException: *"},
		{name: "an unknown index", in: of(demand, updates(`{"Delete":{"IndexName":"nope"}}`)),
			err: "ResourceNotFoundException: Requested resource not found*"},
		{name: "an index of another type for an attribute",
			in: of(demand, strings.ReplaceAll(attributes, `"S"`, `"N"`),
				updates(`{"Create":`+index("new", "ALL", "g")+`}`)),
			err: invalid + "Attributes cannot be redefined.*"},
		{name: "an index without throughput", in: of(units, withN, updates(create)),
			err: invalid + "Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: new"},
		{name: "an index that is there", in: of(demand, attributes, updates(`{"Create":`+byG+`}`)),
			err: "ValidationException: Attempting to create an index which already exists || ResourceInUseException: *"},
	})
}
