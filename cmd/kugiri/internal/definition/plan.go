package definition

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/emulator/iam"
)

// Plan has the changes that make a table as a file defines it. What the file does not say stays as
// it is, except that global secondary indexes which it does not have are deleted.
type Plan struct {
	Table *Table
	Steps []Step

	now *state // nil: there is no table
}

// Step is a change of a table: one request.
type Step struct {
	Change string // "create the table"
	do     func(ctx context.Context, c *dynamodb.Client) error
}

// NewPlan compares a definition with the table of an endpoint. It returns an error if the table
// would have to be made anew, because its key or a local index differs.
func NewPlan(ctx context.Context, c *dynamodb.Client, t *Table) (*Plan, error) {
	now, err := stateOf(ctx, c, t)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Place, err)
	}
	p := &Plan{Table: t, now: now}
	if now == nil {
		p.create()
	} else if err := p.change(); err != nil {
		return nil, fmt.Errorf("%s: %w", t.Place, err)
	}
	p.timeToLive()
	p.recovery()
	p.insights()
	p.kinesis()
	p.replicas()
	return p, nil
}

// Apply makes the changes one after the other, and waits with pause until the table and its indexes
// are ACTIVE after each. It returns the number of changes made, also if it fails.
func (p *Plan) Apply(ctx context.Context, c *dynamodb.Client,
	pause func(context.Context, time.Duration)) (int, error) {
	for i, step := range p.Steps {
		if err := step.do(ctx, c); err != nil {
			return i, fmt.Errorf("%s: %s: %w", p.Table.Place, step.Change, err)
		}
		if err := p.settle(ctx, c, pause); err != nil {
			return i + 1, fmt.Errorf("%s: %s: %w", p.Table.Place, step.Change, err)
		}
	}
	return len(p.Steps), nil
}

// The pauses between looks at a table that changes.
const (
	firstPause = 100 * time.Millisecond
	lastPause  = 5 * time.Second
)

// settle waits until the table and its indexes are ACTIVE.
func (p *Plan) settle(ctx context.Context, c *dynamodb.Client,
	pause func(context.Context, time.Duration)) error {
	for wait := firstPause; ; wait = min(2*wait, lastPause) {
		out, err := c.DescribeTable(ctx,
			&dynamodb.DescribeTableInput{TableName: p.Table.Create.TableName})
		if err != nil {
			return err
		}
		if settled(out.Table) {
			return nil
		}
		if pause(ctx, wait); ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

func settled(t *types.TableDescription) bool {
	for _, ix := range t.GlobalSecondaryIndexes {
		if ix.IndexStatus != types.IndexStatusActive {
			return false
		}
	}
	for _, ix := range t.VectorIndexes {
		if ix.IndexStatus != types.IndexStatusActive {
			return false
		}
	}
	for _, r := range t.Replicas {
		if r.ReplicaStatus != types.ReplicaStatusActive {
			return false
		}
	}
	return t.TableStatus == types.TableStatusActive
}

func (p *Plan) add(change string, do func(ctx context.Context, c *dynamodb.Client) error) {
	p.Steps = append(p.Steps, Step{change, do})
}

func (p *Plan) create() {
	p.add("create the table", func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.CreateTable(ctx, &p.Table.Create)
		return err
	})
}

// update adds an UpdateTable.
func (p *Plan) update(change string, in *dynamodb.UpdateTableInput) {
	in.TableName = p.Table.Create.TableName
	p.add(change, func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.UpdateTable(ctx, in)
		return err
	})
}

// change compares what CreateTable takes.
func (p *Plan) change() error {
	if err := p.checkFixed(); err != nil {
		return err
	}
	kept := p.keptIndexes()
	p.dropIndexes(kept)
	p.capacity(kept)
	p.settings()
	p.stream()
	p.createIndexes(kept)
	p.vectorIndexes()
	p.tags()
	p.policy()
	return nil
}

// checkFixed returns an error if the keys or the local indexes differ.
func (p *Plan) checkFixed() error {
	want, have := &p.Table.Create, p.now.table
	name := *want.TableName
	if !slices.EqualFunc(want.KeySchema, have.KeySchema, sameKey) {
		return fmt.Errorf(
			"the key of the table %s cannot change: delete the table, or give the new one another name", name)
	}
	same := len(want.LocalSecondaryIndexes) == len(have.LocalSecondaryIndexes)
	for _, ix := range want.LocalSecondaryIndexes {
		same = same &&
			slices.ContainsFunc(
				have.LocalSecondaryIndexes, func(h types.LocalSecondaryIndexDescription) bool {
					return *h.IndexName == aws.ToString(ix.IndexName) &&
						slices.EqualFunc(ix.KeySchema, h.KeySchema, sameKey) &&
						sameProjection(ix.Projection, h.Projection)
				})
	}
	if !same {
		return fmt.Errorf(
			"the local secondary indexes of the table %s cannot change: delete the table, or give the new one another name", name)
	}
	for _, a := range want.AttributeDefinitions {
		for _, b := range have.AttributeDefinitions {
			if aws.ToString(a.AttributeName) == *b.AttributeName &&
				a.AttributeType != b.AttributeType {
				return fmt.Errorf("the type of %s in the table %s cannot change from %s to %s",
					*b.AttributeName, name, b.AttributeType, a.AttributeType)
			}
		}
	}
	return nil
}

func sameKey(a, b types.KeySchemaElement) bool {
	return aws.ToString(a.AttributeName) == aws.ToString(b.AttributeName) && a.KeyType == b.KeyType
}

func sameProjection(a, b *types.Projection) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.ProjectionType == b.ProjectionType &&
		slices.Equal(sorted(a.NonKeyAttributes), sorted(b.NonKeyAttributes))
}

func sorted(names []string) []string { return slices.Sorted(slices.Values(names)) }

// capacity compares the billing mode, and the capacity of the table and of the indexes that it
// keeps.
func (p *Plan) capacity(kept map[string]bool) {
	want, have := &p.Table.Create, p.now.table
	mode := types.BillingModeProvisioned
	if have.BillingModeSummary != nil {
		mode = have.BillingModeSummary.BillingMode
	}
	in := &dynamodb.UpdateTableInput{}
	wantMode := cmp.Or(want.BillingMode, types.BillingModeProvisioned) // the default of CreateTable
	provisioned := wantMode == types.BillingModeProvisioned
	changed := mode != wantMode
	if changed {
		in.BillingMode = wantMode
	}
	if provisioned &&
		(changed || !sameUnits(want.ProvisionedThroughput, have.ProvisionedThroughput)) {
		in.ProvisionedThroughput = want.ProvisionedThroughput
	}
	for _, ix := range want.GlobalSecondaryIndexes {
		there := p.index(aws.ToString(ix.IndexName))
		if provisioned && kept[aws.ToString(ix.IndexName)] &&
			(changed || !sameUnits(ix.ProvisionedThroughput, there.ProvisionedThroughput)) {
			in.GlobalSecondaryIndexUpdates = append(in.GlobalSecondaryIndexUpdates,
				types.GlobalSecondaryIndexUpdate{
					Update: &types.UpdateGlobalSecondaryIndexAction{IndexName: ix.IndexName,
						ProvisionedThroughput: ix.ProvisionedThroughput}})
		}
	}
	switch {
	case changed:
		p.update("change the billing mode to "+string(wantMode), in)
	case in.ProvisionedThroughput != nil || in.GlobalSecondaryIndexUpdates != nil:
		p.update("change the provisioned throughput", in)
	}
	if d := want.OnDemandThroughput; d != nil && !provisioned &&
		!reflect.DeepEqual(d, have.OnDemandThroughput) {
		p.update("change the maximum throughput", &dynamodb.UpdateTableInput{OnDemandThroughput: d})
	}
	if w, now := want.WarmThroughput, have.WarmThroughput; w != nil &&
		(now == nil || warmer(w, now.ReadUnitsPerSecond, now.WriteUnitsPerSecond)) {
		p.update("raise the warm throughput", &dynamodb.UpdateTableInput{WarmThroughput: w})
	}
	for i := range want.GlobalSecondaryIndexes {
		if ix := &want.GlobalSecondaryIndexes[i]; kept[aws.ToString(ix.IndexName)] {
			p.indexCapacity(ix, provisioned)
		}
	}
}

func sameUnits(a *types.ProvisionedThroughput, b *types.ProvisionedThroughputDescription) bool {
	return a == nil || b != nil &&
		aws.ToInt64(a.ReadCapacityUnits) == aws.ToInt64(b.ReadCapacityUnits) &&
		aws.ToInt64(a.WriteCapacityUnits) == aws.ToInt64(b.WriteCapacityUnits)
}

// warmer reports whether a warm throughput is more than the present one. It can only be raised.
func warmer(w *types.WarmThroughput, reads, writes *int64) bool {
	return aws.ToInt64(w.ReadUnitsPerSecond) > aws.ToInt64(reads) ||
		aws.ToInt64(w.WriteUnitsPerSecond) > aws.ToInt64(writes)
}

// settings compares the class, the protection and the encryption.
func (p *Plan) settings() {
	want, have := &p.Table.Create, p.now.table
	class := types.TableClassStandard
	if have.TableClassSummary != nil {
		class = have.TableClassSummary.TableClass
	}
	if want.TableClass != "" && want.TableClass != class {
		p.update("change the class to "+string(want.TableClass),
			&dynamodb.UpdateTableInput{TableClass: want.TableClass})
	}
	if on := want.DeletionProtectionEnabled; on != nil &&
		*on != aws.ToBool(have.DeletionProtectionEnabled) {
		p.update("turn deletion protection "+onOff(*on),
			&dynamodb.UpdateTableInput{DeletionProtectionEnabled: on})
	}
	if s := want.SSESpecification; s != nil {
		on := have.SSEDescription != nil && have.SSEDescription.Status != types.SSEStatusDisabled
		switch {
		case aws.ToBool(s.Enabled) != on:
			p.update("turn encryption with a key of KMS "+onOff(!on),
				&dynamodb.UpdateTableInput{SSESpecification: s})
		case on && s.KMSMasterKeyId != nil &&
			!sameKMSKey(*s.KMSMasterKeyId, aws.ToString(have.SSEDescription.KMSMasterKeyArn)):
			p.update("change the key of KMS to "+*s.KMSMasterKeyId,
				&dynamodb.UpdateTableInput{SSESpecification: s})
		}
	}
}

// sameKMSKey reports whether a key's ID or ARN is that of an ARN. DynamoDB does not tell which key
// an alias names: a table with a key stays as it is if the file has an alias.
func sameKMSKey(key, arn string) bool {
	return key == arn || strings.HasSuffix(arn, ":key/"+key) || strings.Contains(key, "alias/")
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// stream compares the stream. To change its view, it is turned off and on.
func (p *Plan) stream() {
	want, have := p.Table.Create.StreamSpecification, p.now.table.StreamSpecification
	on := have != nil && aws.ToBool(have.StreamEnabled)
	if want == nil || on && have.StreamViewType == want.StreamViewType {
		return
	}
	if on {
		p.update("turn the stream off",
			&dynamodb.UpdateTableInput{
				StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(false)},
			})
	}
	p.update("turn the stream on with "+string(want.StreamViewType),
		&dynamodb.UpdateTableInput{StreamSpecification: want})
}

// tags compares the tags, unless the file has none.
func (p *Plan) tags() {
	want := map[string]string{}
	var set []types.Tag
	for _, tag := range p.Table.Create.Tags {
		key, value := aws.ToString(tag.Key), aws.ToString(tag.Value)
		want[key] = value
		// the service refuses a nil one
		if now, there := p.now.tags[key]; !there || now != value || tag.Value == nil {
			set = append(set, tag)
		}
	}
	arn := p.now.table.TableArn
	if set != nil {
		p.add("set tags", func(ctx context.Context, c *dynamodb.Client) error {
			_, err := c.TagResource(ctx, &dynamodb.TagResourceInput{ResourceArn: arn, Tags: set})
			return err
		})
	}
	var gone []string
	for _, key := range sortedKeys(p.now.tags) {
		if _, kept := want[key]; !kept {
			gone = append(gone, key)
		}
	}
	if gone != nil {
		p.add("remove the tags "+strings.Join(gone, ", "), func(ctx context.Context,
			c *dynamodb.Client) error {
			_, err := c.UntagResource(ctx,
				&dynamodb.UntagResourceInput{ResourceArn: arn, TagKeys: gone})
			return err
		})
	}
}

func (p *Plan) policy() {
	want := p.Table.Create.ResourcePolicy
	if want == nil || samePolicy(*want, p.now.policy) {
		return
	}
	arn := p.now.table.TableArn
	p.add("put the resource-based policy", func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.PutResourcePolicy(ctx,
			&dynamodb.PutResourcePolicyInput{ResourceArn: arn, Policy: want})
		return err
	})
}

// samePolicy reports whether two policies are the same in the form in which the service keeps them.
func samePolicy(a, b string) bool {
	x, err1 := iam.ParseResourcePolicy(a)
	y, err2 := iam.ParseResourcePolicy(b)
	return err1 == nil && err2 == nil && x.Canonical("aws") == y.Canonical("aws")
}

func (p *Plan) timeToLive() {
	want := p.Table.TTL
	if want == nil {
		return
	}
	attribute := ""
	if p.now != nil && p.now.ttl != nil &&
		(p.now.ttl.TimeToLiveStatus == types.TimeToLiveStatusEnabled ||
			p.now.ttl.TimeToLiveStatus == types.TimeToLiveStatusEnabling) {
		attribute = aws.ToString(p.now.ttl.AttributeName)
	}
	on := aws.ToBool(want.Enabled)
	if on && attribute != "" && attribute != aws.ToString(want.AttributeName) {
		p.setTTL("turn TTL by "+attribute+" off",
			&types.TimeToLiveSpecification{
				AttributeName: p.now.ttl.AttributeName, Enabled: aws.Bool(false),
			})
		attribute = ""
	}
	if on != (attribute != "") {
		p.setTTL("turn TTL by "+aws.ToString(want.AttributeName)+" "+onOff(on), want)
	}
}

func (p *Plan) setTTL(change string, to *types.TimeToLiveSpecification) {
	p.add(change, func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.UpdateTimeToLive(ctx,
			&dynamodb.UpdateTimeToLiveInput{
				TableName: p.Table.Create.TableName, TimeToLiveSpecification: to,
			})
		return err
	})
}

func (p *Plan) recovery() {
	want := p.Table.Recovery
	if want == nil {
		return
	}
	on, days := false, int32(0)
	if p.now != nil && p.now.recovery != nil {
		on = p.now.recovery.PointInTimeRecoveryStatus == types.PointInTimeRecoveryStatusEnabled
		days = aws.ToInt32(p.now.recovery.RecoveryPeriodInDays)
	}
	wanted := aws.ToBool(want.PointInTimeRecoveryEnabled)
	if wanted == on &&
		(!on || want.RecoveryPeriodInDays == nil || *want.RecoveryPeriodInDays == days) {
		return
	}
	p.add("turn point-in-time recovery "+
		onOff(wanted), func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.UpdateContinuousBackups(ctx,
			&dynamodb.UpdateContinuousBackupsInput{
				TableName: p.Table.Create.TableName, PointInTimeRecoverySpecification: want,
			})
		return err
	})
}

func (p *Plan) insights() {
	for _, want := range p.Table.Insights {
		var now *insightsProperties // nil if they are off
		if p.now != nil {
			now = p.now.insights[want.Index]
		}
		var change string
		switch {
		case want.On != (now != nil):
			change = "turn contributor insights " + onOff(want.On)
		case want.On && want.Mode != "" && want.Mode != now.Mode:
			change = "change contributor insights to " + string(want.Mode)
		default:
			continue
		}
		in := &dynamodb.UpdateContributorInsightsInput{TableName: p.Table.Create.TableName,
			ContributorInsightsMode:   want.Mode,
			ContributorInsightsAction: types.ContributorInsightsActionDisable}
		if want.On {
			in.ContributorInsightsAction = types.ContributorInsightsActionEnable
		}
		if want.Index != "" {
			in.IndexName, change = aws.String(want.Index), change+" for the index "+want.Index
		}
		p.add(change, func(ctx context.Context, c *dynamodb.Client) error {
			_, err := c.UpdateContributorInsights(ctx, in)
			return err
		})
	}
}

// kinesis adds the stream of Kinesis that is missing, or changes its precision. It removes none.
func (p *Plan) kinesis() {
	want := p.Table.Kinesis
	if want == nil {
		return
	}
	now := p.destination(want.StreamARN)
	switch {
	case now == nil:
		in := &dynamodb.EnableKinesisStreamingDestinationInput{
			TableName: p.Table.Create.TableName, StreamArn: &want.StreamARN,
		}
		if want.Precision != "" {
			in.EnableKinesisStreamingConfiguration = &types.EnableKinesisStreamingConfiguration{
				ApproximateCreationDateTimePrecision: want.Precision,
			}
		}
		p.add("send changes to "+want.StreamARN, func(ctx context.Context,
			c *dynamodb.Client) error {
			_, err := c.EnableKinesisStreamingDestination(ctx, in)
			return err
		})
	case want.Precision != "" && want.Precision != now.ApproximateCreationDateTimePrecision:
		in := &dynamodb.UpdateKinesisStreamingDestinationInput{TableName: p.Table.Create.TableName,
			StreamArn: &want.StreamARN,
			UpdateKinesisStreamingConfiguration: &types.UpdateKinesisStreamingConfiguration{
				ApproximateCreationDateTimePrecision: want.Precision,
			}}
		p.add("change the precision of times for "+
			want.StreamARN+" to "+string(want.Precision), func(ctx context.Context,
			c *dynamodb.Client) error {
			_, err := c.UpdateKinesisStreamingDestination(ctx, in)
			return err
		})
	}
}

// destination returns the destination that a stream of Kinesis is for the table, or nil.
func (p *Plan) destination(stream string) *types.KinesisDataStreamDestination {
	if p.now == nil {
		return nil
	}
	for i := range p.now.kinesis {
		d := &p.now.kinesis[i]
		switch d.DestinationStatus {
		case types.DestinationStatusActive, types.DestinationStatusEnabling,
			types.DestinationStatusUpdating:
			if aws.ToString(d.StreamArn) == stream {
				return d
			}
		}
	}
	return nil
}
