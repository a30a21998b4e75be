package compare

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
)

// The parts of a definition that a comparison can leave out.
const (
	Capacity           = "capacity"
	Stream             = "stream"
	TimeToLive         = "time to live"
	Tags               = "tags"
	DeletionProtection = "deletion protection"
	TableClass         = "table class"
	Recovery           = "point-in-time recovery"
)

// Settings are the parts of a definition that a comparison can leave out.
var Settings = []string{
	Capacity, Stream, TimeToLive, Tags, DeletionProtection, TableClass, Recovery,
}

// settings holds what an endpoint says of a table beside its keys and indexes.
type settings struct {
	parts   map[string]string // texts by part; "" for what is off
	unknown map[string]string // the operation that the endpoint does not have, by part
}

// compareSettings compares what the endpoints say of a table beside its keys and indexes. What one
// of them cannot say is not compared.
func (c *Comparer) compareSettings(ctx context.Context, r *Result,
	from, to *types.TableDescription) error {
	a, err := c.From.settings(ctx, from, c.Ignore)
	if err != nil {
		return err
	}
	b, err := c.To.settings(ctx, to, c.Ignore)
	if err != nil {
		return err
	}
	for _, part := range Settings {
		switch {
		case slices.Contains(c.Ignore, part):
		case a.unknown[part] != "":
			r.NotCompared = append(r.NotCompared,
				fmt.Sprintf("%s: --from has no %s", part, a.unknown[part]))
		case b.unknown[part] != "":
			r.NotCompared = append(r.NotCompared,
				fmt.Sprintf("%s: --to has no %s", part, b.unknown[part]))
		case a.parts[part] != b.parts[part]:
			r.Definition = append(r.Definition,
				DefinitionDifference{part, a.parts[part], b.parts[part]})
		}
	}
	return nil
}

// settings reads the settings of a table, but those that are ignored.
func (e *End) settings(ctx context.Context, t *types.TableDescription, ignore []string) (*settings,
	error) {
	s := &settings{described(t), map[string]string{}}
	type reader func(context.Context, *types.TableDescription) (string, error)
	for part, read := range map[string]reader{
		TimeToLive: e.timeToLive, Tags: e.tags, Recovery: e.recovery,
	} {
		if slices.Contains(ignore, part) {
			continue
		}
		text, err := read(ctx, t)
		if operation := endpoint.UnknownOperation(err); operation != "" {
			s.unknown[part] = operation
			continue
		}
		if err != nil {
			return nil, e.Failed(err)
		}
		s.parts[part] = text
	}
	return s, nil
}

// described returns the settings that DescribeTable says.
func described(t *types.TableDescription) map[string]string {
	parts := map[string]string{Capacity: capacityText(t), TableClass: "STANDARD"}
	if s := t.StreamSpecification; s != nil && aws.ToBool(s.StreamEnabled) {
		parts[Stream] = string(s.StreamViewType)
	}
	if aws.ToBool(t.DeletionProtectionEnabled) {
		parts[DeletionProtection] = "on"
	}
	if t.TableClassSummary != nil {
		parts[TableClass] = cmp.Or(string(t.TableClassSummary.TableClass), "STANDARD")
	}
	return parts
}

// capacityText describes the capacity of a table and its indexes.
func capacityText(t *types.TableDescription) string {
	if t.BillingModeSummary != nil &&
		t.BillingModeSummary.BillingMode == types.BillingModePayPerRequest {
		text := "on demand" + limitsText(t.OnDemandThroughput)
		for _, ix := range sortedIndexes(t) {
			if limits := limitsText(ix.OnDemandThroughput); limits != "" {
				text += "; " + aws.ToString(ix.IndexName) + limits
			}
		}
		return text
	}
	text := unitsText(t.ProvisionedThroughput)
	for _, ix := range sortedIndexes(t) {
		text += "; " + aws.ToString(ix.IndexName) + " " + unitsText(ix.ProvisionedThroughput)
	}
	return text
}

func sortedIndexes(t *types.TableDescription) []types.GlobalSecondaryIndexDescription {
	return slices.SortedFunc(slices.Values(t.GlobalSecondaryIndexes),
		func(a, b types.GlobalSecondaryIndexDescription) int {
			return strings.Compare(aws.ToString(a.IndexName), aws.ToString(b.IndexName))
		})
}

func unitsText(p *types.ProvisionedThroughputDescription) string {
	if p == nil {
		return "unknown"
	}
	return fmt.Sprintf("%d read and %d write units", aws.ToInt64(p.ReadCapacityUnits),
		aws.ToInt64(p.WriteCapacityUnits))
}

func limitsText(o *types.OnDemandThroughput) string {
	if o == nil {
		return ""
	}
	var text string
	if n := aws.ToInt64(o.MaxReadRequestUnits); n > 0 {
		text += fmt.Sprintf(", at most %d read units", n)
	}
	if n := aws.ToInt64(o.MaxWriteRequestUnits); n > 0 {
		text += fmt.Sprintf(", at most %d write units", n)
	}
	return text
}

func (e *End) timeToLive(ctx context.Context, t *types.TableDescription) (string, error) {
	return endpoint.TimeToLive(ctx, e.Client, t.TableName)
}

func (e *End) tags(ctx context.Context, t *types.TableDescription) (string, error) {
	list, err := endpoint.Tags(ctx, e.Client, t.TableArn)
	var all []string
	for _, tag := range list {
		all = append(all, fmt.Sprintf("%s=%s", aws.ToString(tag.Key), aws.ToString(tag.Value)))
	}
	slices.Sort(all)
	return strings.Join(all, ", "), err
}

func (e *End) recovery(ctx context.Context, t *types.TableDescription) (string, error) {
	out, err := e.Client.DescribeContinuousBackups(ctx,
		&dynamodb.DescribeContinuousBackupsInput{TableName: t.TableName})
	if err != nil || out.ContinuousBackupsDescription == nil {
		return "", err
	}
	d := out.ContinuousBackupsDescription.PointInTimeRecoveryDescription
	if d == nil || d.PointInTimeRecoveryStatus != types.PointInTimeRecoveryStatusEnabled {
		return "", nil
	}
	return fmt.Sprintf("%d days", aws.ToInt32(d.RecoveryPeriodInDays)), nil
}
