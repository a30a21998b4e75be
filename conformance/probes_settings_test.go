package conformance

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

const (
	encrypted1 = `"SSESpecification":{"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"` + keyOne + `"}`
	encrypted2 = `"SSESpecification":{"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"` + keyTwo + `"}`
	keyOne     = "arn:aws:kms:eu-west-3:000000000000:key/1a2b"
	keyTwo     = "arn:aws:kms:eu-west-3:000000000000:key/3c4d"
	noStream   = `"StreamSpecification":{"StreamEnabled":false}`
)

// TestProbesOfEncryption: ack-api-quirks, DDB-TABLE-052, -065, -069, -078, -079, -082, -120, -140,
// -141, -361 and -371.
func TestProbesOfEncryption(t *testing.T) {
	t.Parallel()
	updating := func(key string) string {
		if key == "" {
			return `{"TableStatus":"ACTIVE","SSEDescription":{"Status":"UPDATING","SSEType":null,"KMSMasterKeyArn":null}}`
		}
		return `{"TableStatus":"ACTIVE","SSEDescription":{"Status":"UPDATING","SSEType":"KMS","KMSMasterKeyArn":"` + key + `"}}`
	}
	enabled := func(key string) string {
		if key == "" {
			return `{"SSEDescription":null}`
		}
		return `{"SSEDescription":{"Status":"ENABLED","SSEType":"KMS","KMSMasterKeyArn":"` + key + `"}}`
	}
	x := newChangingTest(t)
	described, err := x.send("KEY", "CreateTable",
		`{"TableName":"managed",`+encrypted+`,`+keys("pk:S")+`}`)
	require.NoError(t, err)
	managed := at(t, described, "TableDescription", "SSEDescription", "KMSMasterKeyArn").(string)
	x.settle()
	const none = ""
	for _, c := range []struct{ name, change, from, to string }{
		{"off, of nothing", encrypted1, none, keyOne},
		{"to another key", encrypted2, keyOne, keyTwo},
		{"to the key of AWS", encrypted, keyTwo, managed},
		{"that again", encrypted, managed, managed},
		{"by its type", `"SSESpecification":{"Enabled":true,"SSEType":"KMS"}`, managed, managed},
		{"by its type alone", `"SSESpecification":{"SSEType":"KMS"}`, managed, managed},
		{"by its alias", strings.Replace(encrypted1, keyOne, "alias/aws/dynamodb", 1), managed,
			managed},
		{"off", notEncrypted, managed, none},
		{"on", encrypted, none, managed},
		{"to a key", encrypted1, managed, keyOne},
		{"that by its ID", strings.Replace(encrypted1, keyOne, "1a2b", 1), keyOne, keyOne},
		{"off again", notEncrypted, keyOne, none},
	} {
		x.follow(answers(c.name, c.change, updating(c.from)),
			shows(c.name+", the old key", updating(c.from)))
		x.clock.Advance(4 * time.Second)
		x.follow(shows(c.name+", the new key", updating(c.to)))
		x.clock.Advance(6 * time.Second)
		x.follow(shows(c.name+", at last", enabled(c.to)))
	}
	const same = invalidParameters + "Table is already encrypted with given KMSMasterKeyId. Use KMSMasterKeyId parameter if you want to change Master Key"
	x.follow(refused("off as it is", notEncrypted, invalidParameters+"Table is already encrypted by default"),
		changes("a key", encrypted1, ""),
		changes("another one meanwhile", encrypted2, "Server-Side Encryption is still being updated"),
		step{name: "delete meanwhile", op: "DeleteTable", body: ofTable,
			err: resourceInUse + "Table: table is in the process of being updated."},
		answers("protection meanwhile", protect, `{"TableStatus":"ACTIVE"}`),
		answers("a class meanwhile", standard, `{"TableStatus":"UPDATING"}`),
		answers("a stream meanwhile", aStream, `{"TableStatus":"UPDATING"}`))
	x.settle()
	x.follow(refused("the key by its ARN", encrypted1, same))
}

// TestProbesOfNewEncryption: ack-api-quirks, DDB-TABLE-027, -031, -036 and -044.
func TestProbesOfNewEncryption(t *testing.T) {
	t.Parallel()
	create := func(name, members, text string) kase {
		return kase{name: name, raw: true, err: invalidParameters + text,
			in: `{"TableName":"kugiri-conformance-never",` + keys("pk:S") + `,"SSESpecification":{` + members + `}}`}
	}
	kind := create("a type in lower case", `"Enabled":true,"SSEType":"kms"`, "")
	kind.err = "ValidationException: 1 validation error detected: Value 'kms' at 'sSESpecification.sSEType' failed to satisfy constraint: Member must satisfy enum value set: [AES256, KMS]"
	run(t, defaults{src: "ack-api-quirks, DDB-TABLE-036", op: "CreateTable"}, []kase{
		create("a key without a type", `"Enabled":true,"KMSMasterKeyId":"alias/aws/dynamodb"`, "SSEType KMS is required if KMSMasterKeyId is specified"),
		create("a type without encryption", `"Enabled":false,"SSEType":"KMS"`, "SSEType can not be specified if Enabled is false"),
		create("a key without encryption", `"Enabled":false,"KMSMasterKeyId":"alias/x"`, "KMSMasterKeyId can not be specified if Enabled is false"),
		create("both without encryption", `"Enabled":false,"SSEType":"KMS","KMSMasterKeyId":"alias/x"`, "SSEType can not be specified if Enabled is false"),
		create("AES256", `"Enabled":true,"SSEType":"AES256"`, "SSEType AES256 is not supported"),
		create("AES256 without encryption", `"Enabled":false,"SSEType":"AES256"`, "SSEType can not be specified if Enabled is false"),
		kind,
	})
	for _, c := range []struct{ members, has string }{
		{`{}`, `null`}, {`{"Enabled":false}`, `null`},
		{`{"SSEType":"KMS"}`, `{"Status":"ENABLED","SSEType":"KMS"}`},
		{`{"Enabled":true}`, `{"Status":"ENABLED","SSEType":"KMS"}`},
		{`{"SSEType":"KMS","KMSMasterKeyId":"alias/aws/dynamodb"}`, `{"Status":"ENABLED","SSEType":"KMS"}`},
	} {
		x := newTable(t, keys("pk:S")+`,"SSESpecification":`+c.members)
		assertHas(t, `{"SSEDescription":`+c.has+`}`, describe(t, x.name))
	}
}

// TestKeysOfOtherRegions: ack-api-quirks, DDB-TABLE-328.
func TestKeysOfOtherRegions(t *testing.T) {
	t.Parallel()
	const text = "ValidationException: KMS validation error: com.amazonaws.services.kms.model.NotFoundException: Invalid arn us-west-2 (Service: AWSKMS; Status Code: 400; Error Code: NotFoundException; Request ID: *"
	elsewhere := strings.Replace(encrypted1, "eu-west-3", "us-west-2", 1)
	x := newChangingTest(t)
	x.follow(step{name: "create", op: "CreateTable",
		body: `{"TableName":"never",` + elsewhere + `,` + keys("pk:S") + `}`, err: text},
		step{name: "which makes none", op: "DescribeTable", body: `{"TableName":"never"}`,
			err: "ResourceNotFoundException: Requested resource not found: Table: never not found"},
		refused("update", elsewhere, text), shows("as it was", `{"SSEDescription":null}`),
		answers("a key of the region", encrypted1, `{"TableStatus":"ACTIVE"}`))
}

// TestProbesOfStreams: ack-api-quirks, DDB-TABLE-002, -004, -029, -050, -180, -362, -367, -378 and
// -386.
func TestProbesOfStreams(t *testing.T) {
	t.Parallel()
	x := newChangingTest(t)
	const enabledAlready, nothing = "ValidationException: Table already has an enabled stream: TableName: table", "ValidationException: Table has no stream to disable: TableName: table"
	arn := func(second string) string {
		return probedTable + "/stream/2026-01-01T00:00:" + second +
			".000"
	}
	is := func(arn, view string) string {
		return `{"TableStatus":"UPDATING","LatestStreamArn":"` + arn + `","StreamSpecification":` + view + `}`
	}
	const keysOnly = `{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}`
	x.follow(shows("none", `{"StreamSpecification":null,"LatestStreamArn":null}`),
		refused("disable none", noStream, nothing),
		answers("enable", aStream, is(arn("10"), keysOnly)),
		shows("at once", is(arn("10"), keysOnly)),
		step{name: "create again", op: "CreateTable", body: aTable + keys("pk:S") + `}`,
			err: "ResourceInUseException: Table already exists: table"})
	x.settle()
	x.follow(refused("enable again", aStream, enabledAlready),
		refused("another view", strings.Replace(aStream, "KEYS_ONLY", "NEW_IMAGE", 1),
			enabledAlready),
		refused("no view", `"StreamSpecification":{"StreamEnabled":true}`, invalidParameters+"If stream is being enabled then UpdateViewType is required"),
		refused("disable with a view", `"StreamSpecification":{"StreamEnabled":false,"StreamViewType":"KEYS_ONLY"}`, invalidParameters+"If stream is being disabled, then UpdateViewType must not be specified"),
		answers("disable", noStream, is(arn("10"), `null`)))
	x.settle()
	x.follow(shows("disabled", `{"TableStatus":"ACTIVE","StreamSpecification":null,"LatestStreamArn":"`+arn("10")+`","LatestStreamLabel":"2026-01-01T00:00:10.000"}`),
		refused("disable again", noStream, nothing),
		answers("enable anew", strings.Replace(aStream, "KEYS_ONLY", "NEW_IMAGE", 1), is(arn("30"), `{"StreamViewType":"NEW_IMAGE"}`)))
	x.settle()
	describes := func(second, status string) step {
		return step{name: "stream of " + second, op: "DescribeStream", body: `{"StreamArn":"` +
			arn(second) + `"}`,
			has: `{"StreamDescription":{"StreamStatus":"` + status + `","TableName":"table"}}`}
	}
	listed := func(n int) {
		answer, err := x.send("KEY", "ListStreams", ofTable)
		require.NoError(t, err)
		assert.Len(t, answer["Streams"], n)
	}
	listed(2)
	x.follow(describes("10", "DISABLED"), describes("30", "ENABLED"),
		step{name: "delete", op: "DeleteTable", body: ofTable}, describes("30", "DISABLING"))
	x.settle()
	x.follow(describes("30", "DISABLED"),
		step{name: "create anew", op: "CreateTable", body: aTable + keys("pk:S") + `,` + aStream +
			`}`,
			has: `{"TableDescription":{"LatestStreamArn":"` + arn("50") + `"}}`})
	x.settle()
	x.follow(describes("10", "DISABLED"), describes("50", "ENABLED"))
	listed(3)
}

// TestProbesOfNewStreams: ack-api-quirks, DDB-TABLE-035.
func TestProbesOfNewStreams(t *testing.T) {
	t.Parallel()
	create := func(name, members, err string) kase {
		return kase{name: name, raw: true, err: err,
			in: `{"TableName":"kugiri-conformance-never",` + keys("pk:S") + `,"StreamSpecification":{` + members + `}}`}
	}
	const null = "ValidationException: 1 validation error detected: Value null at 'streamSpecification.streamEnabled' failed to satisfy constraint: Member must not be null"
	run(t, defaults{src: "ack-api-quirks, DDB-TABLE-035", op: "CreateTable"}, []kase{
		create("a view without a stream", `"StreamEnabled":false,"StreamViewType":"NEW_IMAGE"`, invalidParameters+"Table is being created with a stream disabled, UpdateViewType should not be specified"),
		create("a stream without a view", `"StreamEnabled":true`, invalidParameters+"Table is being created with a stream enabled, UpdateViewType is required"),
		create("a view alone", `"StreamViewType":"NEW_IMAGE"`, null), create("nothing", ``, null),
		create("a view in lower case", `"StreamEnabled":true,"StreamViewType":"new_image"`, "ValidationException: 1 validation error detected: Value 'new_image' at 'streamSpecification.streamViewType' failed to satisfy constraint: Member must satisfy enum value set: [OLD_IMAGE, KEYS_ONLY, NEW_AND_OLD_IMAGES, NEW_IMAGE]"),
	})
	x := newTable(t, keys("pk:S")+`,"StreamSpecification":{"StreamEnabled":false}`)
	assertHas(t, `{"StreamSpecification":null,"LatestStreamArn":null}`, describe(t, x.name))
}

// TestProbesOfClasses: ack-api-quirks, DDB-TABLE-019, -026, -052, -054, -177, -180, -284, -285,
// -365 and -383.
func TestProbesOfClasses(t *testing.T) {
	t.Parallel()
	x := newChangingTest(t)
	const no = `"TableClassSummary":null`
	is := func(class string) string { return `"TableClassSummary":{"TableClass":"` + class + `"}` }
	const rare, common = "STANDARD_INFREQUENT_ACCESS", "STANDARD"
	busy := step{name: "delete", op: "DeleteTable", body: ofTable, err: resourceInUse + "Table: table is in the process of being updated."}
	x.follow(answers("as it is", standard, `{"TableStatus":"UPDATING",`+no+`}`),
		shows("nothing changes", `{"TableStatus":"ACTIVE",`+no+`}`),
		answers("rare", infrequent, `{"TableStatus":"UPDATING",`+no+`}`),
		shows("not yet", `{"TableStatus":"UPDATING",`+no+`}`), busy,
		answers("protection", protect, `{"TableStatus":"UPDATING","DeletionProtectionEnabled":true}`),
		answers("no protection", exposed, `{"TableStatus":"UPDATING"}`),
		changes("back", standard, "Can't update table class when a table class update is in progress. Table: table TableClassUpdateInProgress: STANDARD_INFREQUENT_ACCESS"))
	x.settle()
	x.follow(shows("now", `{"TableStatus":"ACTIVE",`+is(rare)+`}`),
		answers("rare as it is", infrequent, `{"TableStatus":"UPDATING",`+is(rare)+`}`),
		shows("nothing changes then", `{"TableStatus":"ACTIVE"}`),
		answers("back then", standard, `{"TableStatus":"UPDATING",`+is(rare)+`}`))
	x.settle()
	x.follow(shows("standard, which shows", `{"TableStatus":"ACTIVE",`+is(common)+`}`),
		step{name: "delete it", op: "DeleteTable", body: ofTable})
	given := newTable(t, keys("pk:S")+`,`+standard)
	assertHas(t, `{`+is(common)+`}`, describe(t, given.name))
	absent := newTable(t, keys("pk:S"))
	assertHas(t, `{`+no+`,"DeletionProtectionEnabled":false}`, describe(t, absent.name))
}

// TestProbesOfProtection: ack-api-quirks, DDB-TABLE-016, -017, -030, -034 and -438.
func TestProbesOfProtection(t *testing.T) {
	t.Parallel()
	x := newQuotaTest(t, emulator.WithQuotas(), emulator.WithTableDelays(0, 10*time.Second, 0))
	const protected = "ValidationException: Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first."
	remove := func(err string) step {
		return step{name: "delete", op: "DeleteTable", body: ofTable, err: err}
	}
	x.follow(answers("protect", protect, `{"TableStatus":"ACTIVE","DeletionProtectionEnabled":true}`),
		shows("at once", `{"TableStatus":"ACTIVE","DeletionProtectionEnabled":true}`),
		remove(protected), shows("there still", `{"TableStatus":"ACTIVE"}`))
	x.clock.Advance(15 * time.Second)
	x.follow(changes("no longer", exposed, ""), remove(""))
}

// TestProbesOfMeanwhile: what is taken while the stream, the class or the mode change
// (ack-api-quirks, DDB-TABLE-117, -119, -286, -369, -435 and -450).
func TestProbesOfMeanwhile(t *testing.T) {
	t.Parallel()
	const moreWarm = `"WarmThroughput":{"ReadUnitsPerSecond":13000,"WriteUnitsPerSecond":5000}`
	const stream = "Table: table Stream: 2026-01-01T00:00:10.000 Operation: ENABLE"
	const class = "TableClassUpdateInProgress: STANDARD_INFREQUENT_ACCESS"
	const iops = "Table IOPS are currently being updated. Table: table"
	const deleting = "Table: table is in the process of being updated."
	aPolicy := step{name: "policy", op: "PutResourcePolicy", body: `{"ResourceArn":"` +
		probedTable +
		`","Policy":"{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Deny\",\"Principal\":{\"AWS\":\"arn:aws:iam::000000000000:root\"},\"Action\":\"dynamodb:GetItem\",\"Resource\":\"` + probedTable + `\"}]}"}`}
	for _, c := range []struct {
		name, change, delete string
		refused              map[string]string
	}{
		{"a stream", aStream, "Cannot delete table while stream is being enabled/disabled.", map[string]string{
			infrequent: "Can't update table class when stream status is being updated. " + stream,
			tenReads:   "OnDemandThroughput cannot be updated while stream status update is in progress",
			noStream:   "A stream status change is currently in progress. " + stream,
		}},
		{"a class", infrequent, deleting, map[string]string{
			infrequent: "Can't update table class when a table class update is in progress. Table: table " + class,
			standard:   "Can't update table class when a table class update is in progress. Table: table " + class,
			aStream:    "Can't change stream status when a table class update is in progress. Table: table " + class,
			tenReads:   "OnDemandThroughput cannot be updated while TableClass update is in progress. " + class,
		}},
		{"a mode", toUnits, deleting, map[string]string{
			twoUnits: iops, tenReads: "OnDemandThroughput cannot be updated while BillingMode update is in progress",
			aStream: "Can't enable or disable stream while table IOPS are being updated. Table: table",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := newChangingTest(t)
			x.follow(changes("change", c.change, ""))
			for members, text := range c.refused {
				x.follow(changes(members, members, text))
			}
			x.follow(answers("protection", protect, `{"TableStatus":"UPDATING"}`),
				answers("no protection", exposed, `{"TableStatus":"UPDATING"}`),
				answers("warm throughput", moreWarm, `{"TableStatus":"UPDATING","WarmThroughput":{"Status":"UPDATING"}}`),
				answers("encryption", encrypted, `{"TableStatus":"ACTIVE","SSEDescription":{"Status":"UPDATING"}}`),
				step{name: "back up", op: "CreateBackup", body: aBackup},
				step{name: "TTL", op: "UpdateTimeToLive", body: withTTL},
				step{name: "recovery", op: "UpdateContinuousBackups", body: withPITR},
				step{name: "insights", op: "UpdateContributorInsights", body: withReports},
				step{name: "tag", op: "TagResource", body: withTags}, aPolicy,
				step{name: "describe TTL", op: "DescribeTimeToLive", body: ofTable},
				step{name: "describe insights", op: "DescribeContributorInsights", body: ofTable},
				step{name: "delete", op: "DeleteTable", body: ofTable, err: resourceInUse +
					c.delete})
			if c.change != infrequent { // DDB-TABLE-287: a fault of the service
				x.follow(shows("the status stays", `{"TableStatus":"UPDATING"}`))
			}
			x.settle()
			x.follow(shows("all of it", `{"TableStatus":"ACTIVE","SSEDescription":{"Status":"ENABLED"},"WarmThroughput":{"ReadUnitsPerSecond":13000,"Status":"ACTIVE"}}`))
		})
	}
	t.Run("the mode of before", func(t *testing.T) {
		t.Parallel()
		x := newThroughputTest(t, units(1, 1))
		x.follow(changes("on demand", toDemand, ""), changes("back", toUnits, iops),
			changes("again", toDemand, iops), changes("units", units(7, 7), iops),
			refused("maxima", tenReads, invalidParameters+"MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED"))
	})
}

// TestProbesOfPairs: what one UpdateTable may change (ack-api-quirks, DDB-TABLE-382 and -433).
func TestProbesOfPairs(t *testing.T) {
	t.Parallel()
	const alone = " modification must be the only operation in the request"
	const encryption, class = "Server-Side Encryption" + alone, "TableClass" + alone
	const protection = "DeletionProtection" + alone
	const warmAlone, demandAlone = "WarmThroughput must be the only operation in the request", "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request"
	const streamIOPS = "You cannot modify stream status while updating table IOPS"
	const moreWarm = `"WarmThroughput":{"ReadUnitsPerSecond":13000,"WriteUnitsPerSecond":5000}`
	x := newThroughputTest(t, units(10, 10))
	for _, c := range []struct{ one, other, text string }{
		{protect, aStream, protection}, {protect, tenReads, protection}, {protect, toDemand,
			protection}, {protect, twoUnits, protection},
		{protect, encrypted, encryption}, {protect, infrequent, class}, {protect, moreWarm,
			protection},
		{encrypted, aStream, encryption}, {encrypted, infrequent, encryption}, {encrypted, moreWarm,
			encryption}, {encrypted, twoUnits, encryption},
		{encrypted, tenReads, encryption}, {encrypted, toDemand, encryption}, {infrequent, aStream,
			class}, {infrequent, moreWarm, class},
		{infrequent, twoUnits, class}, {infrequent, tenReads, class}, {infrequent, toDemand, class},
		{moreWarm, aStream, warmAlone}, {moreWarm, twoUnits, warmAlone}, {moreWarm, toDemand,
			warmAlone},
		{tenReads, aStream, demandAlone}, {tenReads, moreWarm, demandAlone}, {twoUnits, aStream,
			streamIOPS}, {`"BillingMode":"PROVISIONED",` + twoUnits, aStream, streamIOPS},
	} {
		x.follow(refused(c.one+" and "+c.other, c.one+","+c.other, invalidParameters+c.text))
	}
	x.follow(shows("nothing was done", `{"TableStatus":"ACTIVE","StreamSpecification":null,"SSEDescription":null,"TableClassSummary":null,"DeletionProtectionEnabled":false,`+units(10, 10)+`}`),
		changes("on demand with a stream", toDemand+","+aStream, ""))
	x.settle()
	x.follow(shows("both", `{"TableStatus":"ACTIVE","BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"},"StreamSpecification":{"StreamEnabled":true}}`),
		changes("as it is, with maxima", toDemand+","+tenReads, ""))
}

// TestProbesOfInsightModes: ack-api-quirks, DDB-TABLE-092.
func TestProbesOfInsightModes(t *testing.T) {
	t.Parallel()
	x := newChangingTest(t)
	update := func(name, members, has string) step {
		return step{name: name, op: "UpdateContributorInsights", body: aTable + members + `}`,
			has: has}
	}
	is := func(mode string, rules int) {
		t.Helper()
		answer, err := x.send("KEY", "DescribeContributorInsights", ofTable)
		require.NoError(t, err)
		assertHas(t, `{"ContributorInsightsMode":"`+mode+`"}`, answer)
		assert.Len(t, answer["ContributorInsightsRuleList"], rules)
	}
	const enable, throttled, accessed = `"ContributorInsightsAction":"ENABLE"`, "THROTTLED_KEYS", "ACCESSED_AND_THROTTLED_KEYS"
	x.follow(update("enable", enable, `{"ContributorInsightsStatus":"ENABLING"}`))
	x.settle()
	is(accessed, 2)
	x.follow(update("throttled keys", enable+`,"ContributorInsightsMode":"`+throttled+`"`, `{"ContributorInsightsStatus":"ENABLING"}`))
	x.settle()
	is(throttled, 1)
	x.follow(update("no mode", enable, `{"ContributorInsightsStatus":"ENABLING"}`))
	x.settle()
	is(accessed, 2)
	x.follow(update("the mode that it has", enable+`,"ContributorInsightsMode":"`+accessed+`"`, `{"ContributorInsightsStatus":"ENABLED"}`),
		update("disable with a mode", `"ContributorInsightsAction":"DISABLE","ContributorInsightsMode":"`+throttled+`"`, `{"ContributorInsightsStatus":"DISABLING"}`))
}
