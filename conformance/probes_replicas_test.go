package conformance

import "testing"

const (
	alreadyTables = "ValidationException: Failed to create a the new replica of table with name: ‘songs’ because one or more replicas already existed as tables."
	noMembers     = "ValidationException: Update global table operation failed because one or more replicas were not part of the global table. Please retry the request without these replicas: "
	noActions     = "ValidationException: There are no actions specified in the Replica Update Action of the request."
	onlyReplicas  = "ValidationException: One or more parameter values were invalid: Replica modification must be the only operation in the request"
	localRegion   = "ValidationException: Cannot add or delete the local region through ReplicaUpdates. Use CreateTable, DeleteTable, or UpdateTable as required."
	streamThere   = "ValidationException: Table already has an enabled stream: TableName: songs"
	east          = "us-east-1"
	west          = "us-west-2"
)

func songs(members string) string { return `{"TableName":"songs",` + members + `}` }

func replicas(updates string) string { return songs(`"ReplicaUpdates":[` + updates + `]`) }

func in(region, name, op, body, has string) regionalStep {
	return regionalStep{region, step{name: name, op: op, body: body, has: has}}
}

func not(region, name, op, body, err string) regionalStep {
	return regionalStep{region, step{name: name, op: op, body: body, err: err}}
}

// TestProbesOfReplicas: ack-api-quirks, DDB-TABLE-201, 203, 221–225, 229, 231, 305 and 307,
// probes of the service.
func TestProbesOfReplicas(t *testing.T) {
	t.Parallel()
	send := regional(t)
	const create = `{"Create":{"RegionName":"us-west-2"}}`
	const update = "UpdateTable"
	steps := []regionalStep{
		in(east, "create", "CreateTable", createSongs, ""),
		in(west, "a table of that name", "CreateTable", createSongs, ""),
		not(east, "it is in the way", update, replicas(create), alreadyTables),
		in(west, "delete it", "DeleteTable", describeSong, ""),
		in(east, "a regional table", "DescribeTable", describeSong,
			`{"Table":{"GlobalTableVersion":null,"Replicas":null,"MultiRegionConsistency":null,"GlobalTableWitnesses":null,"GlobalTableSettingsReplicationMode":null}}`),
	}
	for name, with := range map[string]string{
		"a stream": aStream, "a mode": `"BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}`,
		"encryption": encrypted, "a class": `"TableClass":"STANDARD"`, "protection": protect,
	} {
		steps = append(steps, not(east, "a replica and "+name, update,
			songs(`"ReplicaUpdates":[`+create+`],`+with), onlyReplicas))
	}
	followIn(t, send, append(steps,
		in(east, "twice the same", update, replicas(create+","+create),
			`{"TableDescription":{"GlobalTableVersion":"2019.11.21","Replicas":[],"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}}}`),
		in(east, "a global table", "DescribeTable", describeSong,
			`{"Table":{"GlobalTableVersion":"2019.11.21","MultiRegionConsistency":null,"GlobalTableWitnesses":null,"GlobalTableSettingsReplicationMode":"ENABLED_WITH_OVERRIDES",
				"Replicas":[{"RegionName":"us-west-2","ReplicaStatus":"ACTIVE","ReplicaArn":null,"KMSMasterKeyId":null,"ProvisionedThroughputOverride":null,"ReplicaTableClassSummary":null,"ReplicaStatusPercentProgress":null,"GlobalTableSettingsReplicationMode":"ENABLED_WITH_OVERRIDES","WarmThroughput":{"Status":"ACTIVE"}}]}}`),
		in(west, "the other region", "DescribeTable", describeSong,
			`{"Table":{"GlobalTableVersion":"2019.11.21","MultiRegionConsistency":null,"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"},"Replicas":[{"RegionName":"us-east-1"}]}}`),
		not(east, "again", update, replicas(create), alreadyTables),
		not(east, "its own region", update, replicas(`{"Create":{"RegionName":"us-east-1"}}`), localRegion),
		not(east, "delete its own region", update, replicas(`{"Delete":{"RegionName":"us-east-1"}}`), localRegion),
		not(east, "upper case", update, replicas(`{"Create":{"RegionName":"EU-WEST-1"}}`),
			"ValidationException: Region EU-WEST-1 is not supported. The latest version of global tables are only supported in the following regions: *"),
		not(east, "delete no replica", update, replicas(`{"Delete":{"RegionName":"ca-central-1"}}`), noMembers+"[ca-central-1]."),
		not(east, "update no replica", update,
			replicas(`{"Update":{"RegionName":"ca-central-1","TableClassOverride":"STANDARD"}}`), noMembers+"[ca-central-1]."),
		not(east, "no action", update, replicas(`{}`), noActions),
		not(east, "only a region", update, replicas(`{"Update":{"RegionName":"us-west-2"}}`), noActions),
		not(east, "disable the stream", update, songs(`"StreamSpecification":{"StreamEnabled":false}`),
			"ValidationException: One or more parameter values were invalid: Disabling Stream is not allowed for a Global Table replica."),
		not(west, "disable that of the replica", update, songs(`"StreamSpecification":{"StreamEnabled":false}`),
			"ValidationException: One or more parameter values were invalid: Disabling Stream is not allowed for a Global Table replica."),
		not(east, "another view", update, songs(`"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}`), streamThere),
		not(east, "the same view", update, songs(`"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}`), streamThere),
		in(east, "an override of no index", update,
			replicas(`{"Create":{"RegionName":"eu-west-1","GlobalSecondaryIndexes":[{"IndexName":"nope"}]}}`), ""),
		in(east, "delete that", update, replicas(`{"Delete":{"RegionName":"eu-west-1"}}`), ""),
		in(east, "a provisioned override on demand", update,
			replicas(`{"Create":{"RegionName":"eu-west-1","ProvisionedThroughputOverride":{"ReadCapacityUnits":5}}}`), ""),
		in(east, "delete that too", update, replicas(`{"Delete":{"RegionName":"eu-west-1"}}`), ""),
		in(east, "delete the replica", update, replicas(`{"Delete":{"RegionName":"us-west-2"}}`), ""),
		in(east, "a regional table again", "DescribeTable", describeSong,
			`{"Table":{"GlobalTableVersion":null,"Replicas":null,"GlobalTableSettingsReplicationMode":null,"StreamSpecification":{"StreamEnabled":true}}}`),
		in(east, "disable the stream now", update, songs(`"StreamSpecification":{"StreamEnabled":false}`), ""),
		in(east, "a replica of a disabled stream", update, replicas(create),
			`{"TableDescription":{"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}}}`),
	))
}

// TestProbesOfReplicatedStreams: ack-api-quirks, DDB-TABLE-305, a probe of the service.
func TestProbesOfReplicatedStreams(t *testing.T) {
	t.Parallel()
	for _, view := range []string{"KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE"} {
		stream := `"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"` + view + `"}`
		followIn(t, regional(t), []regionalStep{
			in(east, "create", "CreateTable", songs(keys("pk:S")+","+stream), ""),
			in(east, "replicate", "UpdateTable", replicate, ""),
			in(east, "its view", "DescribeTable", describeSong, `{"Table":{`+stream+`}}`),
			in(west, "that of the replica", "DescribeTable", describeSong,
				`{"Table":{`+stream+`}}`),
		})
	}
}

// TestProbesOfReplicaSettings: ack-api-quirks, DDB-TABLE-230, 265, 266, 294 and 297, probes of the
// service.
func TestProbesOfReplicaSettings(t *testing.T) {
	t.Parallel()
	const source = "ValidationException: Replica cannot be deleted because it has acted as a source region for new replica(s) being added to the table in the last 24 hours."
	const ireland, update = "eu-west-1", "UpdateTable"
	class := func(of string) string {
		return replicas(`{"Update":{"RegionName":"us-west-2","TableClassOverride":"` + of + `"}}`)
	}
	shows := func(region, name, has string) regionalStep {
		return in(region, name, "DescribeTable", describeSong, `{"Table":`+has+`}`)
	}
	const secured = "ValidationException: Cannot delete table songs in region us-west-2 because it has deletion protection enabled. Disable deletion protection first."
	followIn(t, regional(t), []regionalStep{
		in(east, "create", "CreateTable", createSongs, ""),
		in(east, "replicate", update, replicate, ""),
		in(east, "the same class", update, class("STANDARD"), ""),
		in(east, "another class", update, class("STANDARD_INFREQUENT_ACCESS"), ""),
		shows(east, "that of the replica", `{"TableClassSummary":null,"Replicas":[{"ReplicaTableClassSummary":{"TableClass":"STANDARD_INFREQUENT_ACCESS"}}]}`),
		shows(west, "its own", `{"TableClassSummary":{"TableClass":"STANDARD_INFREQUENT_ACCESS"}}`),
		in(east, "that class again", update, class("STANDARD_INFREQUENT_ACCESS"), ""),
		in(west, "in the region itself", update, songs(`"TableClass":"STANDARD"`), ""),
		shows(east, "which the first shows", `{"Replicas":[{"ReplicaTableClassSummary":{"TableClass":"STANDARD"}}]}`),
		in(east, "TTL", "UpdateTimeToLive", songs(`"TimeToLiveSpecification":{"AttributeName":"t","Enabled":true}`), ""),
		in(west, "is that of the group", "DescribeTimeToLive", describeSong,
			`{"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED","AttributeName":"t"}}`),
		in(east, "recovery", "UpdateContinuousBackups", songs(`"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}`), ""),
		in(west, "is of the region", "DescribeContinuousBackups", describeSong,
			`{"ContinuousBackupsDescription":{"PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"DISABLED"}}}`),
		in(east, "insights", "UpdateContributorInsights", songs(`"ContributorInsightsAction":"ENABLE"`), ""),
		in(west, "are of the region", "DescribeContributorInsights", describeSong, `{"ContributorInsightsStatus":"DISABLED"}`),
		in(west, "a replica from a replica", update, replicas(`{"Create":{"RegionName":"eu-west-1"}}`), ""),
		shows(east, "order of the first", `{"Replicas":[{"RegionName":"us-west-2"},{"RegionName":"eu-west-1"}]}`),
		not(east, "delete what was copied", update, replicas(`{"Delete":{"RegionName":"us-west-2"}}`), source),
		not(east, "delete the first", "DeleteTable", describeSong, source),
		in(east, "delete the last", update, replicas(`{"Delete":{"RegionName":"eu-west-1"}}`), ""),
		in(west, "protect the replica", update, songs(protect), ""),
		shows(east, "the first is not", `{"DeletionProtectionEnabled":false}`),
		not(east, "delete a protected replica", update, replicas(`{"Delete":{"RegionName":"us-west-2"}}`), secured),
		not(west, "or its table", "DeleteTable", describeSong, secured),
		in(west, "protect it no longer", update, songs(`"DeletionProtectionEnabled":false`), ""),
		not(east, "the first, whose copy is there", "DeleteTable", describeSong, source),
		in(east, "what was copied, whose copy is gone", update, replicas(`{"Delete":{"RegionName":"us-west-2"}}`), ""),
		in(east, "the first, whose copy is gone", "DeleteTable", describeSong, ""),
	})
}

// TestProbesOfOverrides: ack-api-quirks, DDB-TABLE-250–252 and 422, probes of the service.
func TestProbesOfOverrides(t *testing.T) {
	t.Parallel()
	const update = "UpdateTable"
	units := func(r, w string) string {
		return `"ProvisionedThroughput":{"ReadCapacityUnits":` + r + `,"WriteCapacityUnits":` + w + `}`
	}
	shows := func(region, name, has string) regionalStep {
		return in(region, name, "DescribeTable", describeSong, `{"Table":`+has+`}`)
	}
	of := func(members string) string {
		return replicas(`{"Update":{"RegionName":"us-west-2",` + members + `}}`)
	}
	reads := func(n string) string { return `"ProvisionedThroughputOverride":{"ReadCapacityUnits":` + n + `}` }
	index := func(name, n string) string { return `{"IndexName":"` + name + `",` + reads(n) + `}` }
	indexes := func(list string) string { return of(`"GlobalSecondaryIndexes":[` + list + `]`) }
	key := `"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},` + units("5", "5")
	settings := `{"MinimumUnits":1,"MaximumUnits":10,` + tracks + `}`
	scale := songs(`"ProvisionedWriteCapacityAutoScalingUpdate":` + settings + `,"GlobalSecondaryIndexUpdates":[
		{"IndexName":"gsi1","ProvisionedWriteCapacityAutoScalingUpdate":` + settings + `},{"IndexName":"gsi2","ProvisionedWriteCapacityAutoScalingUpdate":` + settings + `}]`)
	followIn(t, regional(t), []regionalStep{
		in(east, "create", "CreateTable", songs(`"BillingMode":"PROVISIONED",`+units("5", "5")+`,"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
			"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"GlobalSecondaryIndexes":[{"IndexName":"gsi1",`+key+`},{"IndexName":"gsi2",`+key+`}]`), ""),
		in(east, "scale", "UpdateTableReplicaAutoScaling", scale, ""),
		in(east, "replicate", update, replicate, ""),
		shows(west, "inherited", `{`+units("5", "5")+`}`),
		not(east, "reads on demand", update, of(`"OnDemandThroughputOverride":{"MaxReadRequestUnits":100}`),
			"ValidationException: MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED"),
		in(east, "override", update, of(reads("10")),
			`{"TableDescription":{"Replicas":[{"RegionName":"us-west-2","ProvisionedThroughputOverride":null}]}}`),
		shows(east, "the override", `{"Replicas":[{`+reads("10")+`}]}`),
		shows(west, "units of the replica", `{`+units("10", "5")+`}`),
		in(east, "the same", update, of(reads("10")), ""),
		in(east, "that of the table", update, of(reads("5")), ""),
		shows(east, "no override", `{"Replicas":[{"ProvisionedThroughputOverride":null}]}`),
		in(east, "overrides of indexes", update,
			indexes(index("gsi1", "6")+","+index("gsi2", "7")), ""),
		in(east, "of one", update, indexes(index("gsi1", "8")), ""),
		shows(east, "the other stays", `{"Replicas":[{"GlobalSecondaryIndexes":[`+index("gsi1", "8")+`,`+index("gsi2", "7")+`]}]}`),
		in(east, "as in the table", update, indexes(index("gsi1", "5")), ""),
		shows(east, "cleared", `{"Replicas":[{"GlobalSecondaryIndexes":[{"IndexName":"gsi1","ProvisionedThroughputOverride":null},`+index("gsi2", "7")+`]}]}`),
		not(east, "an index alone", update, indexes(`{"IndexName":"gsi1"}`), noActions),
		in(east, "units", update, songs(units("6", "10")), ""),
		shows(west, "are those of the group", `{`+units("6", "10")+`}`),
		in(west, "also from a replica", update, songs(units("7", "10")), ""),
		shows(east, "to the first", `{`+units("7", "10")+`,"Replicas":[{"ProvisionedThroughputOverride":null}]}`),
	})
}

// TestProbesOfStrongTables: ack-api-quirks, DDB-TABLE-202 and 257–261, probes of the service.
func TestProbesOfStrongTables(t *testing.T) {
	t.Parallel()
	const update, v = "UpdateTable", "ValidationException: "
	const strong, east2 = `"MultiRegionConsistency":"STRONG"`, `{"Create":{"RegionName":"us-east-2"}}`
	const west2, witness = `{"Create":{"RegionName":"us-west-2"}}`, `"GlobalTableWitnessUpdates":[{"Create":{"RegionName":"us-east-2"}}]`
	atLeast := v + "At least one of ProvisionedThroughput, *"
	with := func(members ...string) string {
		body := ""
		for _, m := range members {
			body += "," + m
		}
		return songs(body[1:])
	}
	creates := func(list string) string { return `"ReplicaUpdates":[` + list + `]` }
	const count = v + "Unsupported replica count for global tables with MultiRegionConsistency set to STRONG."
	const mustStrong = v + "MultiRegionConsistency must be set as STRONG when GlobalTableWitnessUpdates parameter is present."
	const one = v + "Deletion of only one table replica is not supported for global tables with MultiRegionConsistency set to STRONG."
	followIn(t, regional(t), []regionalStep{
		in(east, "create", "CreateTable", createSongs, ""),
		not(east, "one replica", update, with(strong, creates(west2)), count),
		not(east, "only a witness", update, with(strong, witness), atLeast),
		not(east, "a witness of eventual consistency", update, with(creates(west2), witness), mustStrong),
		not(east, "the same in words", update, with(`"MultiRegionConsistency":"EVENTUAL"`, creates(west2), witness), mustStrong),
		not(east, "a witness where a replica is", update, with(strong, creates(east2), witness),
			v+"Cannot target multiple regions with the same action*"),
		not(east, "a witness at home", update,
			with(strong, creates(west2), `"GlobalTableWitnessUpdates":[{"Create":{"RegionName":"us-east-1"}}]`),
			v+"Cannot add a witness in the same region as an existing replica when creating a global table with MultiRegionConsistency set to STRONG."),
		not(east, "a region that cannot", update, with(strong, creates(`{"Create":{"RegionName":"us-west-1"}}`), witness),
			v+"Unsupported Region(s) specified for global tables with MultiRegionConsistency set to STRONG: [us-west-1]."),
		not(east, "with protection", update, with(strong, creates(west2), witness, protect),
			v+"Requests that modify replicas or witnesses must not also modify other fields"),
		in(east, "a replica and a witness", update, with(strong, creates(west2), witness),
			`{"TableDescription":{"TableStatus":"UPDATING","MultiRegionConsistency":"STRONG","GlobalTableVersion":"2019.11.21"}}`),
		in(east, "described", "DescribeTable", describeSong,
			`{"Table":{"MultiRegionConsistency":"STRONG","Replicas":[{"RegionName":"us-west-2"}],"GlobalTableWitnesses":[{"RegionName":"us-east-2","WitnessStatus":"ACTIVE"}]}}`),
		not("us-east-2", "a witness has no table", "DescribeTable", describeSong,
			"ResourceNotFoundException: Requested resource not found: Table: songs not found"),
		in("us-east-2", "a table of that name", "CreateTable", createSongs, ""),
		not(east, "one more", update, with(creates(`{"Create":{"RegionName":"eu-west-1"}}`)),
			v+"Cannot add replicas to a global table with strong MultiRegionConsistency"),
		not(east, "only the replica", update, with(creates(`{"Delete":{"RegionName":"us-west-2"}}`)),
			v+"Update table delete operation does not include all witnesses."),
		not(east, "only the witness", update, with(`"GlobalTableWitnessUpdates":[{"Delete":{"RegionName":"us-east-2"}}]`), atLeast),
		not(east, "eventual", update, with(`"MultiRegionConsistency":"EVENTUAL"`, creates(`{"Create":{"RegionName":"eu-west-1"}}`)),
			v+"MultiRegionConsistency parameter is unsupported on existing global table"),
		not(east, "strong and a deletion", update, with(strong, creates(`{"Delete":{"RegionName":"us-west-2"}}`)),
			v+"Only Replica Create actions are supported when MultiRegionConsistency parameter is provided."),
		not(east, "delete the table", "DeleteTable", describeSong, one),
		not(west, "delete the replica", "DeleteTable", describeSong, one),
		in(east, "all at once", update, with(creates(`{"Delete":{"RegionName":"us-west-2"}}`), `"GlobalTableWitnessUpdates":[{"Delete":{"RegionName":"us-east-2"}}]`), ""),
		in(east, "a regional table", "DescribeTable", describeSong,
			`{"Table":{"MultiRegionConsistency":null,"GlobalTableVersion":null,"Replicas":null,"GlobalTableWitnesses":null}}`),
		in("us-east-2", "that table is still there", "DescribeTable", describeSong, ""),
		in(east, "replicate", update, replicate, ""),
		not(east, "strong afterwards", update, with(strong, creates(`{"Create":{"RegionName":"us-west-1"}}`)), count),
		not(east, "strong alone", update, with(strong), atLeast),
	})
}

// TestProbesOfLegacyTables: ack-api-quirks, DDB-GLOBALTABLE-001 and 004, probes of the service.
func TestProbesOfLegacyTables(t *testing.T) {
	t.Parallel()
	const global = `{"GlobalTableName":"songs"}`
	const none = "Global table with name: 'songs' does not exist."
	followIn(t, regional(t), []regionalStep{
		in(east, "create", "CreateTable", createSongs, ""),
		in(east, "replicate", "UpdateTable", replicate, ""),
		not(east, "describe", "DescribeGlobalTable", global, "GlobalTableNotFoundException: Global table not found: "+none),
		not(west, "settings", "DescribeGlobalTableSettings", global, "GlobalTableNotFoundException: "+none),
		not(east, "change settings", "UpdateGlobalTableSettings",
			`{"GlobalTableName":"songs","GlobalTableBillingMode":"PAY_PER_REQUEST"}`, "GlobalTableNotFoundException: "+none),
		not(east, "change nothing", "UpdateGlobalTable", `{"GlobalTableName":"songs","ReplicaUpdates":[]}`,
			"ValidationException: One or more parameter values were invalid"),
		in(east, "list", "ListGlobalTables", `{}`, `{"GlobalTables":[],"LastEvaluatedGlobalTableName":null}`),
	})
}
