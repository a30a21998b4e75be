package conformance

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
)

// defines has the definitions of string attributes.
func defines(names ...string) string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = `{"AttributeName":"` + name + `","AttributeType":"S"}`
	}
	return `"AttributeDefinitions":[` + strings.Join(list, ",") + `]`
}

// creates is an UpdateTable's members that create an index on an attribute.
func createsIndex(name, attribute string, members ...string) string {
	definition := strings.TrimSuffix(index(name, "ALL", attribute), "}")
	for _, m := range members {
		definition += "," + m
	}
	return defines(attribute) + `,` + updatesOf(`{"Create":`+definition+`}}`)
}

// updatesOf is a list of index updates.
func updatesOf(updates ...string) string {
	return `"GlobalSecondaryIndexUpdates":[` + strings.Join(updates, ",") + `]`
}

func dropOf(name string) string { return `{"Delete":{"IndexName":"` + name + `"}}` }

func updateOf(name, members string) string {
	return `{"Update":{"IndexName":"` + name + `",` + members + `}}`
}

// newIndexTest is a changingTest whose table has the indexes gsi1 on a, and gsi2 on b.
func newIndexTest(t *testing.T, throughput string, ofIndex ...string) *changingTest {
	clock := emulator.NewClock(time.Date(2026, 10, 8, 12, 0, 0, 0, time.UTC))
	x := &changingTest{t, clock, private(t, emulator.WithHeldClock(clock),
		emulator.WithTableDelays(10*time.Second, 10*time.Second, 10*time.Second))}
	of := func(name, attribute string) string {
		definition := strings.TrimSuffix(index(name, "ALL", attribute), "}")
		for _, m := range ofIndex {
			definition += "," + m
		}
		return definition + "}"
	}
	x.follow(step{name: "create", op: "CreateTable", body: aTable +
		`"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],` + defines("pk", "a", "b") +
		`,"GlobalSecondaryIndexes":[` + of("gsi1", "a") + "," + of("gsi2", "b") + `],` +
		throughput + `}`})
	x.settle()
	return x
}

// indexesAre shows the status of the table, and members of its indexes.
func indexesAre(name, status string, members ...string) step {
	return shows(name, `{"TableStatus":"`+status+`","GlobalSecondaryIndexes":[`+
		strings.Join(members, ",")+`]}`)
}

func maxima(n int) string {
	return fmt.Sprintf(`"OnDemandThroughput":{"MaxReadRequestUnits":%d,"MaxWriteRequestUnits":%d}`, n, n)
}

const (
	oneOnline     = "LimitExceededException: Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table"
	deleteIndexed = resourceInUse + "Cannot delete table while indexes are being created, updated, or deleted."
	someIndex     = `{"IndexStatus":"ACTIVE"}`
)

// TestProbesOfIndexMaxima: the maximum throughput of an index (ack-api-quirks, DDB-TABLE-135, -150,
// -418, -419 and -430).
func TestProbesOfIndexMaxima(t *testing.T) {
	t.Parallel()
	x := newIndexTest(t, toDemand, maxima(50))
	x.follow(shows("of indexes alone", `{"OnDemandThroughput":null,"GlobalSecondaryIndexes":[{`+maxima(50)+`},{`+maxima(50)+`}]}`),
		answers("an update", updatesOf(updateOf("gsi1", maxima(5000))),
			`{"TableStatus":"ACTIVE","GlobalSecondaryIndexes":[{"IndexStatus":"UPDATING"},`+someIndex+`]}`),
		indexesAre("the new values", "ACTIVE", `{"IndexStatus":"UPDATING",`+maxima(5000)+`}`,
			someIndex),
		changes("again", updatesOf(updateOf("gsi1", maxima(6000))),
			"Index is being updated.  Table: table Index: gsi1"),
		step{name: "delete the table", op: "DeleteTable", body: ofTable, err: deleteIndexed},
		changes("of the other index", updatesOf(updateOf("gsi2", maxima(60))), ""))
	x.settle()
	x.follow(indexesAre("after it", "ACTIVE", someIndex, someIndex),
		changes("the same", updatesOf(updateOf("gsi1", maxima(5000))), ""),
		answers("of the table", maxima(1000), `{"TableStatus":"ACTIVE",`+maxima(1000)+`}`))
	x.settle()
	x.follow(changes("of a new index", createsIndex("gsi3", "c", maxima(70)), ""),
		indexesAre("of three indexes", "UPDATING", someIndex, someIndex,
			`{"IndexStatus":"CREATING",`+maxima(70)+`}`))
}

// TestProbesOfNewIndex: the phases of an index that UpdateTable creates, and what is taken during
// them (ack-api-quirks, DDB-TABLE-138, -148, -149, -150, -151, -159, -165, -413 and -458).
func TestProbesOfNewIndex(t *testing.T) {
	t.Parallel()
	x := newIndexTest(t, toDemand)
	const allocating = `{"IndexStatus":"CREATING","Backfilling":false}`
	const created = `{"TableStatus":"UPDATING","GlobalSecondaryIndexes":[` + someIndex + `,` + someIndex +
		`,{"IndexName":"gsi3","IndexStatus":"CREATING","Backfilling":false,"IndexSizeBytes":0,"ItemCount":0,"IndexArn":"` + probedTable + `/index/gsi3"}]}`
	x.follow(indexesAre("no backfilling", "ACTIVE", `{"Backfilling":null,"IndexStatus":"ACTIVE"}`, someIndex),
		answers("create", createsIndex("gsi3", "c"), created),
		indexesAre("allocation", "UPDATING", someIndex, someIndex, allocating),
		changes("delete it", updatesOf(dropOf("gsi3")),
			"Index creation is in resource allocation phase. Retry deletion during backfilling phase or when the index is active. Table: table Index: gsi3"),
		changes("update it", updatesOf(updateOf("gsi3", maxima(10))),
			"Index is being created but is not backfilling yet.  Table: table Index: gsi3"),
		refused("create another", createsIndex("gsi4", "d"), oneOnline),
		refused("delete another", updatesOf(dropOf("gsi1")), oneOnline),
		changes("update another", updatesOf(updateOf("gsi2", maxima(10))), ""),
		changes("maxima", tenReads, "OnDemandThroughput cannot be updated while index creation is in progress for indexes: [gsi3]"),
		changes("billing", toUnits+","+updatesOf(updateOf("gsi1", units(1, 1)), updateOf("gsi3", units(1, 1))), "Index is being created but is not backfilling yet.  Table: table Index: gsi3"),
		changes("a stream", aStream, "Can't change stream status when an index is being created. Table: table Indexes: [gsi3]"),
		answers("protection", protect, `{"TableStatus":"UPDATING"}`),
		answers("encryption", `"SSESpecification":{"Enabled":true}`, `{"TableStatus":"ACTIVE","SSEDescription":{"Status":"UPDATING"}}`),
		indexesAre("encryption changes no status", "UPDATING", someIndex,
			`{"IndexStatus":"UPDATING"}`, allocating),
		step{name: "tag", op: "TagResource", body: withTags},
		step{name: "delete the table", op: "DeleteTable", body: ofTable, err: deleteIndexed})
	x.settle()
	x.follow(changes("no protection", exposed, ""),
		indexesAre("backfill", "ACTIVE", someIndex, someIndex, `{"IndexStatus":"CREATING","Backfilling":true}`),
		refused("create another then", createsIndex("gsi4", "d"), oneOnline),
		refused("delete another then", updatesOf(dropOf("gsi1")), oneOnline),
		step{name: "delete the table then", op: "DeleteTable", body: ofTable, err: deleteIndexed},
		changes("update it then", updatesOf(updateOf("gsi3", maxima(10))), ""),
		indexesAre("still backfill", "ACTIVE", someIndex, someIndex, `{"IndexStatus":"CREATING","Backfilling":true}`),
		answers("delete it then", updatesOf(dropOf("gsi3")),
			`{"TableStatus":"UPDATING","GlobalSecondaryIndexes":[`+someIndex+`,`+someIndex+`,{"IndexStatus":"DELETING","Backfilling":null}]}`))
	x.settle()
	x.follow(shows("pruned", `{"AttributeDefinitions":[{"AttributeName":"a"},{"AttributeName":"b"},{"AttributeName":"pk"}]}`),
		step{name: "delete the table at last", op: "DeleteTable", body: ofTable})
}

// TestProbesOfDeletedIndex: what is taken while an index is being deleted (ack-api-quirks,
// DDB-TABLE-166, -375 and -376).
func TestProbesOfDeletedIndex(t *testing.T) {
	t.Parallel()
	const iops = "Can't change table IOPS when an index is being deleted. Table: table Indexes: [gsi1]"
	const dying = "Index is being deleted.  Table: table Index: gsi1"
	x := newIndexTest(t, toDemand)
	x.follow(changes("protection", protect, ""),
		answers("delete a protected table's index", updatesOf(dropOf("gsi1")), `{"TableStatus":"UPDATING"}`),
		changes("to provisioned", toUnits, iops),
		changes("delete it again", updatesOf(dropOf("gsi1")), dying),
		changes("another of its name", createsIndex("gsi1", "a"), dying),
		changes("with the index", toUnits+","+updatesOf(updateOf("gsi1", units(1, 1))), dying),
		answers("on demand, as it is", toDemand, `{"TableStatus":"UPDATING"}`),
		changes("maxima", tenReads, "OnDemandThroughput cannot be updated while index deletion is in progress for indexes: [gsi1]"),
		refused("create another", createsIndex("gsi4", "d"), oneOnline),
		refused("delete another", updatesOf(dropOf("gsi2")), oneOnline),
		changes("update another", updatesOf(updateOf("gsi2", maxima(10))), ""),
		answers("encryption", `"SSESpecification":{"Enabled":true}`, `{"TableStatus":"ACTIVE"}`))
	x.settle()
	const gone = "ResourceNotFoundException: Requested resource not found: Index gsi1 for table table"
	x.follow(refused("update what is gone", updatesOf(updateOf("gsi1", maxima(10))), gone),
		refused("delete what is gone", updatesOf(dropOf("gsi1")), gone),
		changes("again with that name", createsIndex("gsi1", "a"), ""))

	x = newIndexTest(t, units(1, 1), units(1, 1))
	x.follow(changes("delete of a provisioned table", updatesOf(dropOf("gsi1")), ""),
		changes("on demand", toDemand, iops), changes("units", twoUnits, iops),
		changes("units with the mode", `"BillingMode":"PROVISIONED",`+twoUnits, iops),
		changes("units with the index", twoUnits+","+updatesOf(updateOf("gsi1", units(2, 2))),
			dying),
		step{name: "delete the table", op: "DeleteTable", body: ofTable, err: deleteIndexed},
		answers("protect it", protect, `{"TableStatus":"UPDATING","GlobalSecondaryIndexes":[{"IndexName":"gsi2"},{"IndexStatus":"DELETING"}]}`))
	x.settle()
	x.follow(changes("units then", twoUnits, ""))
	x.settle()
	x.follow(changes("on demand then", toDemand, ""))
}

// TestProbesOfIndexesMeanwhile: a new index while something else changes (ack-api-quirks,
// DDB-TABLE-163, -175 and -462).
func TestProbesOfIndexesMeanwhile(t *testing.T) {
	t.Parallel()
	t.Run("backfill", func(t *testing.T) {
		t.Parallel()
		x := newIndexTest(t, units(1, 1), units(1, 1))
		x.follow(changes("an index", createsIndex("gsi3", "c", units(1, 1)), ""),
			changes("units", twoUnits, "Can't change table IOPS when an index is being created. Table: table Indexes: [gsi3]"))
		x.settle()
		x.follow(answers("units while it is filled", twoUnits, `{"TableStatus":"UPDATING"}`),
			changes("a stream", aStream, "Can't enable or disable stream while table IOPS are being updated. Table: table"),
			changes("protection", protect, ""), step{name: "TTL", op: "UpdateTimeToLive",
				body: withTTL},
			step{name: "tag", op: "TagResource", body: withTags})
	})
	const encrypt = `"SSESpecification":{"Enabled":true}`
	add, drop := createsIndex("gsi3", "c", units(1, 1)), updatesOf(dropOf("gsi1"))
	for _, c := range []struct{ name, change, text string }{
		{"units", twoUnits, "Can't create or delete indexes while table IOPS are being updated. Table: table"},
		{"stream", aStream, "Can't create or delete an index when stream status is being updated. Table: table Stream: 2026-10-08T12:00:10.000 Operation: ENABLE"},
		{"class", infrequent, "Can't create or delete an index when a table class update is in progress. Table: table TableClassUpdateInProgress: STANDARD_INFREQUENT_ACCESS"},
		{"encryption", encrypt, ""},
		{"protection", protect, ""},
		{"warm throughput", `"WarmThroughput":{"ReadUnitsPerSecond":10,"WriteUnitsPerSecond":10}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := newIndexTest(t, units(1, 1), units(1, 1))
			x.follow(changes("change", c.change, ""), changes("a new index", add, c.text))
			if c.text != "" {
				x.follow(changes("one less", drop, c.text))
			}
		})
	}
	for _, c := range []struct{ name, change, text string }{
		{"units and encryption", twoUnits, "Table IOPS are currently being updated. Table: table"},
		{"billing and encryption", toDemand, "Table IOPS are currently being updated. Table: table"},
		{"an index and encryption", drop, "Can't change table IOPS when an index is being deleted. Table: table Indexes: [gsi1]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := newIndexTest(t, units(1, 1), units(1, 1))
			x.follow(changes("change", c.change, ""),
				answers("encryption", encrypt, `{"TableStatus":"ACTIVE","SSEDescription":{"Status":"UPDATING"}}`),
				shows("the status stays", `{"TableStatus":"UPDATING"}`),
				changes("units", units(3, 3), c.text))
			x.settle()
			x.follow(shows("both", `{"TableStatus":"ACTIVE","SSEDescription":{"Status":"ENABLED"}}`))
		})
	}
}

// TestProbesOfIndexUpdates: what one UpdateTable may do to indexes (ack-api-quirks, DDB-TABLE-015,
// -046, -127, -152, -153, -158, -159, -160, -162, -164, -174, -359, -380 and -417).
func TestProbesOfIndexUpdates(t *testing.T) {
	t.Parallel()
	const nothing = "ValidationException: At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required"
	const empty = invalidParameters + "List of GlobalSecondaryIndexUpdates is empty"
	const alone = " modification must be the only operation in the request"
	const perIndex = invalidParameters + "Only one global secondary index update per index is allowed simultaneously. Index: "
	create := func(name, attribute string) string {
		return `{"Create":` + strings.TrimSuffix(index(name, "ALL", attribute),
			"}") + "," + units(1, 1) + `}}`
	}
	add := createsIndex("gsi3", "c", units(1, 1))
	more := updateOf("gsi1", units(2, 2))
	x := newIndexTest(t, units(1, 1), units(1, 1))
	x.follow(step{name: "nothing", op: "UpdateTable", body: ofTable, err: nothing},
		step{name: "nothing of no table", op: "UpdateTable", body: `{"TableName":"missing"}`,
			err: nothing},
		refused("no updates", updatesOf(), nothing),
		refused("no updates and definitions", defines("pk")+","+updatesOf(), nothing),
		refused("no updates and protection", protect+","+updatesOf(), empty),
		refused("no updates and a mode", toDemand+","+updatesOf(), empty),
		refused("no updates and maxima", tenReads+","+updatesOf(), empty),
		refused("definitions alone", defines("pk"), nothing),
		refused("two new indexes",
			defines("c", "d")+","+updatesOf(create("gsi3", "c"), create("gsi4", "d")), oneOnline),
		refused("one more, one less",
			defines("c")+","+updatesOf(create("gsi3", "c"), dropOf("gsi1")), oneOnline),
		refused("two less", updatesOf(dropOf("gsi1"), dropOf("gsi2")), oneOnline),
		refused("replace", defines("a")+","+updatesOf(dropOf("gsi1"), create("gsi1", "a")),
			perIndex+"gsi1"),
		refused("update twice",
			updatesOf(updateOf("gsi2", units(2, 2)),
				updateOf("gsi2", units(3, 3))), perIndex+"gsi2"),
		refused("update and delete", updatesOf(dropOf("gsi2"), updateOf("gsi2", units(3, 3))),
			perIndex+"gsi2"),
		refused("two actions", updatesOf(`{"Delete":{"IndexName":"gsi1"},"Update":{"IndexName":"gsi1",`+units(2, 2)+`}}`),
			invalidParameters+"Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object"),
		refused("no action", updatesOf(`{}`), invalidParameters+"One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null"),
		refused("with units", add+","+twoUnits, invalidParameters+"You cannot create or delete index while updating table IOPS"),
		refused("a deletion with units", updatesOf(dropOf("gsi1"))+","+twoUnits, invalidParameters+"You cannot create or delete index while updating table IOPS"),
		refused("with a stream", add+","+aStream, invalidParameters+"You cannot create or delete index while changing stream status"),
		refused("with protection", add+","+protect, invalidParameters+"DeletionProtection"+alone),
		refused("with encryption", add+`,"SSESpecification":{"Enabled":true}`, invalidParameters+"Server-Side Encryption"+alone),
		refused("with a class", add+","+infrequent, invalidParameters+"TableClass"+alone),
		refused("with warm throughput", add+`,"WarmThroughput":{"ReadUnitsPerSecond":10}`, invalidParameters+"Create global secondary index cannot be specified when updating WarmThroughput"),
		refused("no definitions", updatesOf(create("gsi3", "c")), invalidParameters+"AttributeDefinitions is not specified for index: gsi3"),
		refused("no units", createsIndex("gsi3", "c"), invalidParameters+"Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: gsi3"),
		refused("the same units of an index", updatesOf(updateOf("gsi1", units(1, 1))),
			"ValidationException: The provisioned throughput for the index gsi1 will not change. The requested value equals the current value. Current ReadCapacityUnits provisioned for index gsi1: 1. Requested ReadCapacityUnits: 1. Current WriteCapacityUnits *"),
		refused("of a missing index, beside others", updatesOf(more, updateOf("ghost", units(2, 2))),
			"ResourceNotFoundException: Requested resource not found: Index ghost for table table"),
		shows("nothing was applied",
			`{"GlobalSecondaryIndexes":[{`+units(1, 1)+`},{`+units(1, 1)+`}]}`),
		answers("two updates", updatesOf(more, updateOf("gsi2", units(2, 3))),
			`{"TableStatus":"ACTIVE","GlobalSecondaryIndexes":[{"IndexStatus":"UPDATING",`+units(1, 1)+`},{"IndexStatus":"UPDATING",`+units(1, 1)+`}]}`))
	x.settle()
	x.follow(shows("both applied",
		`{"GlobalSecondaryIndexes":[{`+units(2, 2)+`},{`+units(2, 3)+`}]}`),
		changes("one unit", updatesOf(updateOf("gsi1", units(2, 3))), ""))
	x.settle()
	kept := shows("the definitions stay", `{"AttributeDefinitions":[{"AttributeName":"a"},{"AttributeName":"b"},{"AttributeName":"pk","AttributeType":"S"}]}`)
	x.follow(changes("other definitions", `"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"N"},{"AttributeName":"zz","AttributeType":"S"}],`+updatesOf(updateOf("gsi1", units(3, 3))), ""),
		kept)
	x.settle()
	const eight = `{"Create":{"IndexName":"gsi8","Projection":{"ProjectionType":"ALL"},"KeySchema":[{"AttributeName":"h1","KeyType":"HASH"},{"AttributeName":"h2","KeyType":"HASH"},{"AttributeName":"h3","KeyType":"HASH"},{"AttributeName":"h4","KeyType":"HASH"},{"AttributeName":"r1","KeyType":"RANGE"},{"AttributeName":"r2","KeyType":"RANGE"},{"AttributeName":"r3","KeyType":"RANGE"},{"AttributeName":"r4","KeyType":"RANGE"}],`
	x.follow(changes("eight attributes",
		defines("h1", "h2", "h3", "h4", "r1", "r2", "r3",
			"r4")+","+updatesOf(eight+units(1, 1)+`}}`), ""))
	x.settle()
	x.follow(changes("no more", updatesOf(dropOf("gsi8")), ""))
	x.settle()
	x.follow(changes("a new index beside an update",
		defines("c", "zz")+","+updatesOf(create("gsi3", "c"), updateOf("gsi1", units(4, 4))), ""),
		shows("both are done", `{"AttributeDefinitions":[{"AttributeName":"a"},{"AttributeName":"b"},{"AttributeName":"c"},{"AttributeName":"pk"}],"GlobalSecondaryIndexes":[{"IndexStatus":"UPDATING"},`+someIndex+`,{"IndexStatus":"CREATING"}]}`))
}

// TestProbesOfIndexBilling: indexes and the capacity mode (ack-api-quirks, DDB-TABLE-133, -134,
// -152, -153, -155, -157, -158 and -174).
func TestProbesOfIndexBilling(t *testing.T) {
	t.Parallel()
	warmTo := func(read, write int) string {
		return fmt.Sprintf(`"WarmThroughput":{"ReadUnitsPerSecond":%d,"WriteUnitsPerSecond":%d}`, read, write)
	}
	const needs = invalidParameters + "ProvisionedThroughput must be specified "
	both := func(n int) string {
		return updatesOf(updateOf("gsi1", units(n, n)),
			updateOf("gsi2", units(n, n)))
	}
	x := newIndexTest(t, toDemand, maxima(50))
	x.follow(shows("no units", `{"ProvisionedThroughput":{"ReadCapacityUnits":0,"NumberOfDecreasesToday":0},"GlobalSecondaryIndexes":[{"ProvisionedThroughput":{"ReadCapacityUnits":0,"WriteCapacityUnits":0,"NumberOfDecreasesToday":0},"WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"}},`+someIndex+`]}`),
		refused("less warm", updatesOf(updateOf("gsi1", warmTo(100, 100))), invalidParameters+"Requested ReadUnitsPerSecond for WarmThroughput for index gsi1 is lower than current WarmThroughput, decreasing WarmThroughput is not supported"),
		changes("the same warm", updatesOf(updateOf("gsi1", warmTo(12000, 4000))), ""))
	x.settle()
	x.follow(answers("more warm", updatesOf(updateOf("gsi1", warmTo(12001, 4001))), `{"TableStatus":"ACTIVE","GlobalSecondaryIndexes":[{"IndexStatus":"ACTIVE","WarmThroughput":{"ReadUnitsPerSecond":12000,"Status":"UPDATING"}},`+someIndex+`]}`))
	x.settle()
	x.follow(changes("more reads", updatesOf(updateOf("gsi1", `"WarmThroughput":{"ReadUnitsPerSecond":12002}`)), ""))
	x.settle()
	x.follow(shows("writes as before", `{"GlobalSecondaryIndexes":[{"WarmThroughput":{"ReadUnitsPerSecond":12002,"WriteUnitsPerSecond":4001,"Status":"ACTIVE"}},`+someIndex+`]}`),
		refused("a mode alone", `"BillingMode":"PROVISIONED"`, needs+"when BillingMode is PROVISIONED"),
		refused("a mode with the index", `"BillingMode":"PROVISIONED",`+both(5), needs+"when BillingMode is PROVISIONED"),
		refused("without the indexes", toUnits,
			needs+"for index: gsi1,gsi2 || "+needs+"for index: gsi1"),
		refused("units", units(5, 5), invalidParameters+"Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"),
		refused("units of an index", updatesOf(updateOf("gsi1", units(5, 5))), invalidParameters+"The only Updates for index: gsi1 when TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput"),
		answers("to provisioned", `"BillingMode":"PROVISIONED",`+units(5, 5)+","+both(5),
			`{"TableStatus":"UPDATING",`+units(5, 5)+`,"GlobalSecondaryIndexes":[{`+units(5,
				5)+`},{`+units(5, 5)+`}]}`))
	x.settle()
	x.follow(shows("no maxima", `{"OnDemandThroughput":null,"GlobalSecondaryIndexes":[{"OnDemandThroughput":null,"WarmThroughput":{"ReadUnitsPerSecond":12002,"WriteUnitsPerSecond":4001}},{"OnDemandThroughput":null}]}`),
		refused("maxima of an index", updatesOf(updateOf("gsi1", maxima(60))), invalidParameters+"MaxReadRequestUnits for OnDemandThroughput for index : gsi1 cannot be specified when the table BillingMode is PROVISIONED"),
		changes("back", toDemand, ""))
	x.settle()
	x.follow(shows("a decrease of the index", `{"ProvisionedThroughput":{"NumberOfDecreasesToday":0},"GlobalSecondaryIndexes":[{"ProvisionedThroughput":{"NumberOfDecreasesToday":1}},`+someIndex+`]}`),
		changes("provisioned again", toUnits+","+both(1), ""))
	x.settle()
	x.follow(changes("on demand beside a new index", toDemand+","+createsIndex("gsi3", "c"), ""),
		shows("both", `{"TableStatus":"UPDATING","BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"},"GlobalSecondaryIndexes":[{},{},{"IndexStatus":"CREATING"}]}`))

	x = newIndexTest(t, units(50, 50), units(50, 50))
	for i, u := range [][2]int{{40, 40}, {30, 60}, {20, 20}, {10, 10}} {
		x.follow(changes("a decrease", units(u[0], u[1]), ""))
		x.settle()
		x.follow(shows("counted", fmt.Sprintf(`{"ProvisionedThroughput":{"NumberOfDecreasesToday":%d},"GlobalSecondaryIndexes":[{"ProvisionedThroughput":{"NumberOfDecreasesToday":0}},{}]}`, i+1)))
	}
	const limit = "LimitExceededException: Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. *"
	x.follow(refused("a fifth with the index",
		units(5, 5)+","+updatesOf(updateOf("gsi1", units(40, 40))), limit),
		shows("the index is as it was", `{"GlobalSecondaryIndexes":[{`+units(50, 50)+`},{}]}`))
	for i := range 4 {
		x.follow(changes("of the index", updatesOf(updateOf("gsi1", units(40-i, 40-i))), ""))
		x.settle()
	}
	x.follow(refused("a fifth of the index", updatesOf(updateOf("gsi1", units(1, 1))), limit),
		changes("an increase", units(20, 20), ""), shows("warm as ever", `{"GlobalSecondaryIndexes":[{"WarmThroughput":{"ReadUnitsPerSecond":50}},{}]}`))
}

// TestProbesOfIndexMaximum: how many indexes a table has (ack-api-quirks, DDB-TABLE-129 and -169),
// and how much throughput (DDB-TABLE-170).
func TestProbesOfIndexMaximum(t *testing.T) {
	t.Parallel()
	many := func(n int) string {
		names, list := []string{"pk"}, make([]string, n)
		for i := range n {
			names = append(names, fmt.Sprintf("a%02d", i))
			list[i] = index(fmt.Sprintf("g%02d", i), "ALL", names[i+1])
		}
		return `"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],` + toDemand + "," + defines(names...) +
			`,"GlobalSecondaryIndexes":[` + strings.Join(list, ",") + `]`
	}
	x := newIndexTest(t, toDemand)
	x.follow(step{name: "21", op: "CreateTable", body: `{"TableName":"many",` + many(21) + `}`,
		err: invalidParameters + "GlobalSecondaryIndex count exceeds the per-table limit of 20"},
		step{name: "20", op: "CreateTable", body: `{"TableName":"many",` + many(20) + `}`})
	x.settle()
	x.follow(step{name: "one more", op: "UpdateTable", body: `{"TableName":"many",` +
		createsIndex("g20", "a20") + `}`,
		err: "LimitExceededException: Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of 20"},
		step{name: "active still", op: "DescribeTable", body: `{"TableName":"many"}`, has: `{"Table":{"TableStatus":"ACTIVE"}}`})
	one := func(table, gsi int) string {
		return `"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],` + defines("pk") + "," + units(table, 1) +
			`,"GlobalSecondaryIndexes":[` + strings.TrimSuffix(index("gsi1", "ALL", "pk"),
			"}") + "," + units(gsi, 1) + `}]`
	}
	const rest = ". Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits."
	x.follow(step{name: "too much for a table", op: "CreateTable", body: `{"TableName":"much",` +
		one(40001, 1) + `}`,
		err: "LimitExceededException: The requested ReadCapacityUnits, 40001, is above the per table maximum for the account in eu-west-3. Per table maximum: 40000" + rest},
		step{name: "too much for an index", op: "CreateTable", body: `{"TableName":"much",` +
			one(1, 40001) + `}`,
			err: "LimitExceededException: The requested ReadCapacityUnits for index gsi1, 40001, is above the per index maximum for the account in eu-west-3. Per table maximum: 40000" + rest},
		step{name: "each within its own", op: "CreateTable", body: `{"TableName":"much",` +
			one(39900, 200) + `}`},
		step{name: "an index of 40,000", op: "CreateTable", body: `{"TableName":"more",` +
			one(1, 40000) + `}`})
	x.settle()
	x.follow(step{name: "more of a table", op: "UpdateTable", body: `{"TableName":"much",` +
		units(40001, 1) + `}`,
		err: "LimitExceededException: The requested ReadCapacityUnits, 40001, is above the per table maximum *"})
}

// TestProbesOfNewIndexes: the indexes of CreateTable (ack-api-quirks, DDB-TABLE-043, -123, -124,
// -125,
// -126, -127, -128, -129, -357 and -389).
func TestProbesOfNewIndexes(t *testing.T) {
	t.Parallel()
	create := func(name, members, err string) kase {
		return kase{name: name, err: err, raw: true, in: `{"TableName":"kugiri-conformance-never",` + members + `}`}
	}
	unknown := func(name, members string) kase {
		return kase{name: name, op: "UpdateTable", err: "ValidationException: At least one of *", raw: true,
			in: `{"TableName":"kugiri-conformance-never"` + members + `}`}
	}
	const key = `"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],` + toDemand + `,`
	const sorted = `"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],` + toDemand + `,`
	gsi := func(projection string, members ...string) string {
		s := `,"GlobalSecondaryIndexes":[{"IndexName":"g-a","KeySchema":[{"AttributeName":"a","KeyType":"HASH"}]`
		if projection != "" {
			s += `,"Projection":` + projection
		}
		for _, m := range members {
			s += "," + m
		}
		return key + defines("pk", "a") + s + `}]`
	}
	keyed := func(elements ...string) string {
		var list, names []string
		names = append(names, "pk")
		for i, e := range elements {
			name := fmt.Sprintf("a%d", i)
			names = append(names, name)
			list = append(list, `{"AttributeName":"`+name+`","KeyType":"`+e+`"}`)
		}
		return key + defines(names...) + `,"GlobalSecondaryIndexes":[{"IndexName":"g-a","Projection":{"ProjectionType":"ALL"},"KeySchema":[` + strings.Join(list, ",") + `]}]`
	}
	locally := func(table string, schema ...string) string {
		return table + `,"LocalSecondaryIndexes":[{"IndexName":"l-a","Projection":{"ProjectionType":"ALL"},"KeySchema":[` + strings.Join(schema, ",") + `]}]`
	}
	const hashPK, hashA, rangeA = `{"AttributeName":"pk","KeyType":"HASH"}`, `{"AttributeName":"a","KeyType":"HASH"}`, `{"AttributeName":"a","KeyType":"RANGE"}`
	const h, r = "HASH", "RANGE"
	bad := func(text string) string { return invalidParameters + text }
	run(t, defaults{src: "ack-api-quirks, DDB-TABLE-126", op: "CreateTable"}, []kase{
		create("no global indexes", key+defines("pk")+`,"GlobalSecondaryIndexes":[]`, bad("List of GlobalSecondaryIndexes is empty")),
		create("no local indexes", sorted+defines("pk", "sk")+`,"LocalSecondaryIndexes":[]`, bad("List of LocalSecondaryIndexes is empty")),
		create("5 hash keys", keyed(h, h, h, h, h), bad("The KeySchema exceeds the maximum allowed number of HASH key attributes*")),
		create("5 range keys", keyed(h, r, r, r, r, r), bad("The KeySchema exceeds the maximum allowed number of RANGE key attributes*")),
		create("hash after range", keyed(h, r, h), bad("All HASH key attributes must precede RANGE key attributes in the KeySchema*")),
		create("range first", keyed(r, h), "ValidationException: Invalid KeySchema: The first KeySchemaElement is not a HASH key type"),
		create("range alone", keyed(r), "ValidationException: Invalid KeySchema: The first KeySchemaElement is not a HASH key type"),
		create("a table's range first", `"KeySchema":[{"AttributeName":"sk","KeyType":"RANGE"},{"AttributeName":"pk","KeyType":"HASH"}],`+toDemand+","+defines("pk", "sk"), "ValidationException: Invalid KeySchema: The first KeySchemaElement is not a HASH key type"),
		create("two hash keys of a table", `"KeySchema":[{"AttributeName":"sk","KeyType":"HASH"},{"AttributeName":"pk","KeyType":"HASH"}],`+toDemand+","+defines("pk", "sk"), "ValidationException: Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"),
		create("include nothing", gsi(`{"ProjectionType":"INCLUDE","NonKeyAttributes":[]}`), "ValidationException: 1 validation error detected: Value '[]' at 'globalSecondaryIndexes.1.member.projection.nonKeyAttributes' failed to satisfy constraint: Member must have length greater than or equal to 1"),
		create("include what", gsi(`{"ProjectionType":"INCLUDE"}`), bad("ProjectionType is INCLUDE, but NonKeyAttributes is not specified")),
		create("keys only, and more", gsi(`{"ProjectionType":"KEYS_ONLY","NonKeyAttributes":["x"]}`), bad("ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified")),
		create("all, and more", gsi(`{"ProjectionType":"ALL","NonKeyAttributes":["x"]}`), bad("ProjectionType is ALL, but NonKeyAttributes is specified")),
		create("include twice", gsi(`{"ProjectionType":"INCLUDE","NonKeyAttributes":["x","x"]}`), bad("Duplicate element in NonKeyAttributes: x")),
		create("include 21", gsi(`{"ProjectionType":"INCLUDE","NonKeyAttributes":["1","2","3","4","5","6","7","8","9","10","11","12","13","14","15","16","17","18","19","20","21"]}`), "ValidationException: 1 validation error detected: Value '[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21]' at 'globalSecondaryIndexes.1.member.projection.nonKeyAttributes' failed to satisfy constraint: Member must have length less than or equal to 20"),
		create("no type of projection", gsi(`{}`), bad("Unknown ProjectionType: null")),
		create("no projection", gsi(""), "ValidationException: 1 validation error detected: Value null at 'globalSecondaryIndexes.1.member.projection' failed to satisfy constraint: Member must not be null"),
		create("a type in lower case", gsi(`{"ProjectionType":"all"}`), "ValidationException: 1 validation error detected: Value 'all' at 'globalSecondaryIndexes.1.member.projection.projectionType' failed to satisfy constraint: Member must satisfy enum value set: *"),
		create("an unused definition", key+defines("pk", "extra"), bad("Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions")),
		create("an unused definition beside an index", strings.Replace(gsi(`{}`), defines("pk", "a"), defines("a", "b", "pk"), 1), bad("Some AttributeDefinitions are not used. AttributeDefinitions: [a, b, pk], keys used: [a, pk]")),
		create("a missing definition", strings.Replace(gsi(`{"ProjectionType":"ALL"}`), defines("pk", "a"), defines("pk"), 1), bad("Some index key attributes are not defined in AttributeDefinitions. Keys: [a], AttributeDefinitions: [pk]")),
		create("a definition twice", key+defines("pk", "pk"), "ValidationException: Attribute Name is duplicated: pk"),
		create("units on demand", gsi(`{"ProjectionType":"ALL"}`, units(1, 1)), bad("ProvisionedThroughput should not be specified for index: g-a when BillingMode is PAY_PER_REQUEST")),
		create("no units", strings.Replace(gsi(`{"ProjectionType":"ALL"}`), toDemand, units(1, 1), 1), bad("ProvisionedThroughput is not specified for index: g-a")),
		create("maxima with units", strings.Replace(gsi(`{"ProjectionType":"ALL"}`, units(1, 1), maxima(10)), toDemand, units(1, 1), 1), bad("MaxReadRequestUnits for OnDemandThroughput for index: g-a cannot be specified*")),
		create("a maximum of 0", gsi(`{"ProjectionType":"ALL"}`, maxima(0)), bad("Requested MaxReadRequestUnits for OnDemandThroughput for index : g-a is outside of valid range")),
		create("a maximum of -1", gsi(`{"ProjectionType":"ALL"}`, maxima(-1)), bad("Requested MaxReadRequestUnits for OnDemandThroughput for index : g-a is outside of valid range")),
		create("little warm throughput", gsi(`{"ProjectionType":"ALL"}`, `"WarmThroughput":{"ReadUnitsPerSecond":1,"WriteUnitsPerSecond":1}`), bad("Requested ReadUnitsPerSecond for WarmThroughput for index g-a is lower than initial throughput for OnDemand*")),
		create("a local index without a sort key", locally(key+defines("pk", "a"), hashPK, rangeA), bad("Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex")),
		create("a local index of another key", locally(sorted+defines("pk", "sk", "a"), hashA, `{"AttributeName":"sk","KeyType":"RANGE"}`), bad("Index KeySchema does not have the same leading hash key as table KeySchema for index: l-a. index hash key: a, table hash key: pk")),
		create("a local index without range", locally(sorted+defines("pk", "sk"), hashPK), bad("Index KeySchema does not have a range key for index: l-a")),
		create("a name twice",
			key+defines("pk")+`,"GlobalSecondaryIndexes":[`+index("dup", "ALL",
				"pk")+","+index("dup", "ALL", "pk")+`]`, bad("Duplicate index name: dup")),
		create("a short name", key+defines("pk")+`,"GlobalSecondaryIndexes":[`+index("ab", "ALL", "pk")+`]`, "ValidationException: 1 validation error detected: Value 'ab' at 'globalSecondaryIndexes.1.member.indexName' failed to satisfy constraint: Member must have length greater than or equal to 3"),
		create("letters of a name", key+defines("pk")+`,"GlobalSecondaryIndexes":[`+index("a b c", "ALL", "pk")+`]`, "ValidationException: 1 validation error detected: Value 'a b c' at 'globalSecondaryIndexes.1.member.indexName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"),
		unknown("a key in UpdateTable", `,"KeySchema":[{"AttributeName":"sk","KeyType":"HASH"}]`),
		unknown("local indexes in UpdateTable", `,"LocalSecondaryIndexes":[]`),
		unknown("a key that is none in UpdateTable", `,"KeySchema":"x"`),
		unknown("what is not in the model", `,"Bogus":{}`),
	})
	x := newTable(t, sorted+defines("z", "a", "m", "sk", "pk")+
		`,"LocalSecondaryIndexes":[`+index("l-same", "KEYS_ONLY", "pk", "sk")+`]`+
		`,"GlobalSecondaryIndexes":[`+index("g-z", "INCLUDE zz,aa,mm,sk", "z")+","+index("g-a",
		"ALL", "a", "m")+","+index("g-t", "ALL", "pk", "sk")+`]`)
	assertHas(t, `{"AttributeDefinitions":[{"AttributeName":"a"},{"AttributeName":"m"},{"AttributeName":"pk"},{"AttributeName":"sk"},{"AttributeName":"z"}]}`, describe(t, x.name))
	eight := newTable(t, keyed(h, h, h, h, r, r, r, r))
	assertHas(t, `{"GlobalSecondaryIndexes":[{"KeySchema":[{"AttributeName":"a0","KeyType":"HASH"},{},{},{},{},{},{},{"AttributeName":"a7","KeyType":"RANGE"}]}]}`, describe(t, eight.name))
}
