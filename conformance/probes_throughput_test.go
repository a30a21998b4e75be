package conformance

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kugiri-db/kugiri/emulator"
)

// units are provisioned throughput.
func units(read, write int) string {
	return fmt.Sprintf(`"ProvisionedThroughput":{"ReadCapacityUnits":%d,"WriteCapacityUnits":%d}`,
		read, write)
}

// newThroughputTest is a changingTest whose table has throughput.
func newThroughputTest(t *testing.T, throughput string) *changingTest {
	clock := emulator.NewClock(time.Date(2026, 10, 8, 12, 0, 0, 0, time.UTC))
	x := &changingTest{t, clock, private(t, emulator.WithHeldClock(clock),
		emulator.WithTableDelays(10*time.Second, 10*time.Second, 10*time.Second))}
	key := `"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],`
	x.follow(step{name: "create", op: "CreateTable", body: aTable + key + throughput + `}`})
	x.settle()
	return x
}

// settle lets the change in progress end.
func (x *changingTest) settle() { x.clock.Advance(10 * time.Second) }

// answers is an UpdateTable with members of its answer.
func answers(name, members, has string) step {
	s := changes(name, members, "")
	s.has = `{"TableDescription":` + has + `}`
	return s
}

// warm is the warm throughput of a description.
func warm(read, write int, status string) string {
	return fmt.Sprintf(
		`{"WarmThroughput":{"ReadUnitsPerSecond":%d,"WriteUnitsPerSecond":%d,"Status":"%s"}}`, read,
		write, status)
}

// TestProbesOfUnits: ack-api-quirks, DDB-TABLE-057, -058, -060, -061, -063 and -370.
func TestProbesOfUnits(t *testing.T) {
	t.Parallel()
	x := newThroughputTest(t, units(1, 1))
	const iops = "Table IOPS are currently being updated. Table: table"
	x.follow(shows("as provisioned", `{"BillingModeSummary":null,"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"LastIncreaseDateTime":null,"LastDecreaseDateTime":null}}`),
		shows("warm as that", warm(1, 1, "ACTIVE")),
		answers("the answer has the old units", units(2, 2),
			`{"TableStatus":"UPDATING","ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1,"LastIncreaseDateTime":1791460810}}`),
		changes("again", units(3, 3), iops), changes("on demand", toDemand, iops),
		changes("the protection that it has", exposed, ""),
		step{name: "delete", op: "DeleteTable", body: ofTable,
			err: resourceInUse + "Table: table is in the process of being updated."})
	x.settle()
	const same = "ValidationException: The provisioned throughput for the table will not change. *"
	x.follow(shows("the new units", `{"TableStatus":"ACTIVE","ProvisionedThroughput":{"ReadCapacityUnits":2}}`),
		refused("the same units", units(2, 2), same),
		refused("the same units and mode", `"BillingMode":"PROVISIONED",`+units(2, 2), same),
		refused("the mode alone", `"BillingMode":"PROVISIONED"`, invalidParameters+
			"ProvisionedThroughput must be specified when BillingMode is PROVISIONED"),
		refused("maxima", tenReads, invalidParameters+
			"MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED"),
		refused("units with the mode on demand", toDemand+","+units(1, 1), invalidParameters+
			"ProvisionedThroughput cannot be specified when BillingMode is PAY_PER_REQUEST"),
		changes("more, with the mode", `"BillingMode":"PROVISIONED",`+units(3, 3), ""))
	x.settle()
	x.follow(answers("fewer", units(1, 1), `{"ProvisionedThroughput":{"ReadCapacityUnits":3,"NumberOfDecreasesToday":0,"LastDecreaseDateTime":1791460830}}`))
	x.settle()
	x.follow(shows("a decrease", `{"ProvisionedThroughput":{"ReadCapacityUnits":1,"NumberOfDecreasesToday":1,"LastDecreaseDateTime":1791460830}}`),
		shows("warm as ever", warm(3, 3, "ACTIVE")),
		refused("less warm", `"WarmThroughput":{"ReadUnitsPerSecond":1,"WriteUnitsPerSecond":1}`,
			invalidParameters+"Requested ReadUnitsPerSecond for WarmThroughput for table is lower than current WarmThroughput, decreasing WarmThroughput is not supported"))
}

// TestProbesOfDecreases: ack-api-quirks, DDB-TABLE-184, -185, -326 and -381.
func TestProbesOfDecreases(t *testing.T) {
	t.Parallel()
	x := newThroughputTest(t, units(10, 10))
	x.clock.Advance(10*time.Hour + 30*time.Minute)
	for i := range 4 {
		x.follow(answers("a decrease", units(9-i, 9-i),
			fmt.Sprintf(`{"ProvisionedThroughput":{"ReadCapacityUnits":%d,"NumberOfDecreasesToday":%d}}`, 10-i, i)))
		x.settle()
	}
	limit := func(made int, last, next string) string {
		return fmt.Sprintf("LimitExceededException: Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. "+
			"After the first 4 decreases, each subsequent decrease in the same UTC day can be performed at most once every 3600 seconds. "+
			"Number of decreases today: %d. Last decrease at Thursday, October 8, 2026 at %s Coordinated Universal Time. "+
			"Next decrease can be made at %s Coordinated Universal Time", made, last, next)
	}
	first := limit(4, "10:30:40 PM", "Thursday, October 8, 2026 at 11:30:40 PM")
	x.follow(refused("a fifth", units(5, 5), first), refused("a mixed one", units(5, 20), first),
		changes("an increase", units(20, 20), ""))
	x.clock.Advance(time.Hour - 10*time.Second - 1)
	x.follow(refused("an hour less a moment", units(5, 5), first))
	x.clock.Advance(1)
	x.follow(changes("an hour after the last", units(5, 5), ""))
	x.settle()
	x.follow(refused("midnight comes before an hour", units(4, 4),
		limit(5, "11:30:40 PM", "Friday, October 9, 2026 at 12:00:00 AM")),
		shows("so many", `{"ProvisionedThroughput":{"NumberOfDecreasesToday":5}}`))
	x.clock.Advance(29*time.Minute + 10*time.Second)
	x.follow(shows("none on another day", `{"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"LastDecreaseDateTime":1791502240}}`),
		changes("one on another day", units(4, 4), ""))
}

// TestProbesOfBilling: ack-api-quirks, DDB-TABLE-025, -055, -056, -062, -064, -067, -156, -183 and
// -452.
func TestProbesOfBilling(t *testing.T) {
	t.Parallel()
	x := newThroughputTest(t, toDemand)
	x.follow(shows("on demand", `{"BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST","LastUpdateToPayPerRequestDateTime":1791460800},"ProvisionedThroughput":{"ReadCapacityUnits":0}}`),
		answers("the mode that it has", toDemand, `{"TableStatus":"UPDATING"}`),
		shows("nothing is being changed", `{"TableStatus":"ACTIVE"}`),
		refused("units", units(1, 1), invalidParameters+
			"Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"),
		refused("no units", `"BillingMode":"PROVISIONED"`, invalidParameters+
			"ProvisionedThroughput must be specified when BillingMode is PROVISIONED"),
		refused("the mode and protection", toDemand+","+protect, invalidParameters+
			"DeletionProtection modification must be the only operation in the request"),
		answers("to provisioned", toUnits, `{"TableStatus":"UPDATING","BillingModeSummary":{"BillingMode":"PROVISIONED"}}`),
		answers("back meanwhile", toDemand, `{"TableStatus":"UPDATING","BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"},"ProvisionedThroughput":{"ReadCapacityUnits":0,"WriteCapacityUnits":0}}`),
		refused("other units meanwhile", `"BillingMode":"PROVISIONED",`+units(2, 2),
			resourceInUse+"Table IOPS are currently being updated. Table: table"))
	x.settle()
	x.follow(shows("provisioned", `{"TableStatus":"ACTIVE","BillingModeSummary":{"BillingMode":"PROVISIONED","LastUpdateToPayPerRequestDateTime":1791460800},"ProvisionedThroughput":{"ReadCapacityUnits":1,"LastIncreaseDateTime":null}}`),
		shows("warm as on demand", warm(12000, 4000, "ACTIVE")),
		answers("on demand the same day", toDemand, `{"TableStatus":"UPDATING","BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST","LastUpdateToPayPerRequestDateTime":null},"ProvisionedThroughput":{"ReadCapacityUnits":0}}`),
		step{name: "delete meanwhile", op: "DeleteTable", body: ofTable, err: resourceInUse +
			"Table: table is in the process of being updated."},
		changes("protection meanwhile", exposed, ""),
		refused("provisioned meanwhile", toUnits,
			resourceInUse+"Table IOPS are currently being updated. Table: table"))
	x.settle()
	x.follow(shows("on demand again", `{"BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST","LastUpdateToPayPerRequestDateTime":1791460820}}`),
		changes("provisioned again", toUnits, ""))
	x.settle()
	x.follow(changes("on demand with a maximum", toDemand+","+tenReads, ""))
	x.settle()
	x.follow(shows("the maximum", `{"OnDemandThroughput":{"MaxReadRequestUnits":10}}`))

	x = newThroughputTest(t, units(1, 1))
	x.follow(answers("on demand for the first time", toDemand,
		`{"BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"},"WarmThroughput":{"ReadUnitsPerSecond":1,"WriteUnitsPerSecond":1}}`),
		shows("warm as before", warm(1, 1, "ACTIVE")),
		changes("warmer meanwhile",
			`"WarmThroughput":{"ReadUnitsPerSecond":13000,"WriteUnitsPerSecond":5000}`, ""),
		shows("still as before", warm(1, 1, "UPDATING")))
	x.settle()
	x.follow(shows("warm as asked for", warm(13000, 5000, "ACTIVE")))
}

// TestProbesOfWarm: ack-api-quirks, DDB-TABLE-049, -066, -121, -179, -410 and -459.
func TestProbesOfWarm(t *testing.T) {
	t.Parallel()
	to := func(read, write int) string {
		return fmt.Sprintf(`"WarmThroughput":{"ReadUnitsPerSecond":%d,"WriteUnitsPerSecond":%d}`, read, write)
	}
	x := newThroughputTest(t, toDemand)
	const less = invalidParameters + "Requested ReadUnitsPerSecond for WarmThroughput for table is lower than current WarmThroughput, decreasing WarmThroughput is not supported"
	x.follow(answers("more", to(13000, 5000), warm(12000, 4000, "UPDATING")),
		shows("the table is active", `{"TableStatus":"ACTIVE"}`),
		shows("the old values", warm(12000, 4000, "UPDATING")),
		answers("more meanwhile", to(14000, 6000), warm(12000, 4000, "UPDATING")),
		step{name: "delete meanwhile", op: "DeleteTable", body: ofTable, err: resourceInUse + "*"},
		changes("maxima meanwhile", tenReads, ""), changes("protection meanwhile", exposed, ""))
	x.settle()
	x.follow(shows("the later values", warm(14000, 6000, "ACTIVE")),
		answers("the same", to(14000, 6000), warm(14000, 6000, "UPDATING")))
	x.settle()
	x.follow(refused("less", to(12000, 4000), less),
		changes("one of both", `"WarmThroughput":{"WriteUnitsPerSecond":6001}`, ""))
	x.settle()
	x.follow(shows("one more", warm(14000, 6001, "ACTIVE")),
		refused("too much", `"WarmThroughput":{"ReadUnitsPerSecond":40001}`, "LimitExceededException: Subscriber limit exceeded: Requested ReadUnitsPerSecond for WarmThroughput for table exceeds TableMaxReadCapacityUnits of the account in region eu-west-3"))
}

// TestProbesOfMaxima: ack-api-quirks, DDB-TABLE-051, -154, -171, -178 and -182.
func TestProbesOfMaxima(t *testing.T) {
	t.Parallel()
	to := func(members string) string { return `"OnDemandThroughput":{` + members + `}` }
	is := func(members string) string {
		if members == "" {
			return `{"OnDemandThroughput":null}`
		}
		return `{"OnDemandThroughput":{` + members + `}}`
	}
	const read, write = `"MaxReadRequestUnits":`, `"MaxWriteRequestUnits":`
	const outside = " for OnDemandThroughput for table is outside of valid range"
	x := newThroughputTest(t, toDemand)
	x.follow(answers("both", to(read+"1000,"+write+"500"), is(read+"1000,"+write+"500")),
		changes("the same", to(read+"1000,"+write+"500"), ""), changes("one", to(read+"2000"), ""),
		shows("merged", is(read+"2000,"+write+"500")),
		refused("none", to(write+"0"), invalidParameters+"Requested MaxWriteRequestUnits"+outside),
		refused("less", to(read+"-2"), invalidParameters+"Requested MaxReadRequestUnits"+outside),
		answers("reads without a maximum", to(read+"-1"), is(read+"-1,"+write+"500")),
		shows("left out", is(read+"null,"+write+"500")),
		answers("writes without", to(write+"-1"), is(read+"null,"+write+"-1")),
		shows("nothing left", is("")),
		answers("both without", to(read+"-1,"+write+"-1"), is(read+"-1,"+write+"-1")),
		refused("too much", to(read+"40001"), "LimitExceededException: Subscriber limit exceeded: Requested MaxReadRequestUnits for OnDemandThroughput for table exceeds TableMaxReadCapacityUnits of the account in region eu-west-3"),
		shows("nothing changed", is("")))
	const index = `"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"gsi1","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},$}}]`
	x.follow(refused("of an index", strings.Replace(index, "$", to(write+"40001"), 1), "LimitExceededException: Subscriber limit exceeded: Requested MaxWriteRequestUnits for OnDemandThroughput for index : gsi1 exceeds TableMaxWriteCapacityUnits of the account in region eu-west-3"),
		refused("warm of an index", strings.Replace(index, "$", `"WarmThroughput":{"ReadUnitsPerSecond":40001}`, 1), "LimitExceededException: Subscriber limit exceeded: Requested ReadUnitsPerSecond for WarmThroughput for index gsi1 exceeds TableMaxReadCapacityUnits of the account in region eu-west-3"))
}

// TestProbesOfNewThroughput: ack-api-quirks, DDB-TABLE-024, -028, -032, -038, -039 and -040.
func TestProbesOfNewThroughput(t *testing.T) {
	t.Parallel()
	const key = `"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]`
	const outside = invalidParameters + "Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid range"
	create := func(name, members, err string) kase {
		return kase{name: name, err: err, raw: true, in: `{"TableName":"kugiri-conformance-never",` + key + members + `}`}
	}
	const demand, both = "," + toDemand, invalidParameters +
		"ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED"
	const initial = invalidParameters + "Requested ReadUnitsPerSecond for WarmThroughput for table is lower than initial throughput for OnDemand. See: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial"
	const least = " failed to satisfy constraint: Member must have value greater than or equal to 1"
	const zero = "ValidationException: 2 validation errors detected: Value '0' at 'provisionedThroughput.writeCapacityUnits'" + least + "; Value '0' at 'provisionedThroughput.readCapacityUnits'" + least
	run(t, defaults{src: "ack-api-quirks, DDB-TABLE-038", op: "CreateTable"}, []kase{
		create("nothing", "", both),
		create("units on demand", demand+","+units(1, 1), invalidParameters+"Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"),
		create("no units on demand", demand+","+units(0, 0), zero),
		create("no units", ","+units(0, 0), zero),
		create("maxima with units", `,"OnDemandThroughput":{"MaxReadRequestUnits":100},`+units(1, 1), invalidParameters+"MaxReadRequestUnits for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED."),
		create("one of both units", `,"ProvisionedThroughput":{"ReadCapacityUnits":1}`, "ValidationException: 1 validation error detected: Value null at 'provisionedThroughput.writeCapacityUnits' failed to satisfy constraint: Member must not be null"),
		create("a maximum of 0", demand+`,"OnDemandThroughput":{"MaxReadRequestUnits":0}`, outside),
		create("a maximum of -1", demand+`,"OnDemandThroughput":{"MaxReadRequestUnits":-1}`, outside),
		create("a warm throughput of 1", demand+`,"WarmThroughput":{"ReadUnitsPerSecond":1,"WriteUnitsPerSecond":1}`, initial),
		create("less warm than provisioned", `,"WarmThroughput":{"ReadUnitsPerSecond":5},`+units(10, 10), invalidParameters+"Requested ReadUnitsPerSecond for WarmThroughput for table is lower than ReadCapacityUnits of ProvisionedThroughput"),
		create("a mode in lower case", `,"BillingMode":"pay_per_request"`, "ValidationException: 1 validation error detected: Value 'pay_per_request' at 'billingMode' failed to satisfy constraint: Member must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]"),
		create("too many units", ","+units(40001, 1), "LimitExceededException: *"),
	})
	describes := func(members, has string) {
		assertHas(t, has, describe(t, newTable(t, members).name))
	}
	describes(keys("pk:S"), warm(12000, 4000, "ACTIVE"))
	describes(keys("pk:S")+`,"WarmThroughput":{"ReadUnitsPerSecond":12001}`, warm(12001, 4000, "ACTIVE"))
	describes(keys("pk:S")+`,"OnDemandThroughput":{"MaxReadRequestUnits":100}`, `{"OnDemandThroughput":{"MaxReadRequestUnits":100,"MaxWriteRequestUnits":null}}`)
	describes(keys("pk:S")+`,"OnDemandThroughput":{},"WarmThroughput":{}`, `{"OnDemandThroughput":null}`)
	describes(key+","+units(1, 1), `{"BillingModeSummary":null,"OnDemandThroughput":null}`)
	describes(key+","+units(5, 5), warm(5, 5, "ACTIVE"))
	describes(key+`,"WarmThroughput":{"ReadUnitsPerSecond":100,"WriteUnitsPerSecond":100},`+units(5, 5), warm(100, 100, "ACTIVE"))
}
