package tables

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
)

// scaling returns the auto scaling settings of the table ("") or of an index, or nil.
func (s *Settings) scaling(index string) *Scaling {
	for i := range s.Scaling {
		if s.Scaling[i].Index == index {
			return &s.Scaling[i]
		}
	}
	return nil
}

var (
	// hashicorp/terraform-provider-aws, issue 13097.
	errTableWrites = apierr.Invalid(
		"Table write capacity should either be Pay-Per-Request or AutoScaled.")
	// ack-api-quirks, DDB-TABLE-288 and 291.
	errIndexWrites = apierr.Invalid(
		"GSI write capacity should either be Pay-Per-Request or AutoScaled.")
)

// CheckScaled checks that the table and its indexes are on demand, or that auto scaling sets their
// write capacity.
func (s *Settings) CheckScaled() error {
	if !s.Billing.OnDemandMode() && !s.scalesWrites("") {
		return errTableWrites
	}
	return s.CheckScaledIndexes()
}

// CheckScaledIndexes checks that auto scaling sets the write capacity of the indexes if it sets
// that of the table.
func (s *Settings) CheckScaledIndexes() error {
	if s.Billing.OnDemandMode() || !s.scalesWrites("") {
		return nil
	}
	for i := range s.Indexes {
		if s.Indexes[i].Gone == nil && !s.scalesWrites(s.Indexes[i].Name) {
			return errIndexWrites
		}
	}
	return nil
}

func (s *Settings) scalesWrites(index string) bool {
	sc := s.scaling(index)
	return sc != nil && sc.Write != nil && !sc.Write.Disabled
}

// ScaleNewIndex sets the auto scaling of the writes of a new index of a provisioned global table,
// as the service does (ack-api-quirks, DDB-TABLE-322).
func (s *Settings) ScaleNewIndex(o arn.Owner, table, index string) {
	if s.Billing.OnDemandMode() || !s.scalesWrites("") || s.scalesWrites(index) {
		return
	}
	const units, target = 10, 70
	s.scalingOf(index).Write = &AutoScaling{
		Min: 1, Max: units, Role: serviceRole(o),
		Policies: []ScalingPolicy{{Name: policyName(table, index, true), Target: target}},
	}
}

// scalingOf returns the auto scaling settings of the table ("") or of an index. It adds missing
// ones.
func (s *Settings) scalingOf(index string) *Scaling {
	if s.scaling(index) == nil {
		s.Scaling = append(s.Scaling, Scaling{Index: index})
	}
	return s.scaling(index)
}

// policyName returns the name of a policy that has none (ack-api-quirks, DDB-TABLE-237).
func policyName(table, index string, writes bool) string {
	name := "DynamoDBReadCapacityUtilization:table/" + table
	if writes {
		name = "DynamoDBWriteCapacityUtilization:table/" + table
	}
	if index != "" {
		name += "/index/" + index
	}
	return name
}

// Scale changes the auto scaling settings of the table ("") or of an index, for writes or reads.
func (s *Settings) Scale(o arn.Owner, table, index string, writes bool,
	in *api.AutoScalingSettingsUpdate) error {
	if in == nil {
		return nil
	}
	sc := s.scalingOf(index)
	of := &sc.Read
	if writes {
		of = &sc.Write
	}
	next := AutoScaling{Min: 1, Max: TableMaxUnits, Role: serviceRole(o)}
	if *of != nil {
		next = **of
	}
	if err := next.set(policyName(table, index, writes), in); err != nil {
		return err
	}
	*of = &next
	s.clamp(index, writes, &next)
	return nil
}

// clamp brings throughput between the limits of its auto scaling. More than a table may have fails
// where only Application Auto Scaling says so (ack-api-quirks, DDB-TABLE-256).
func (s *Settings) clamp(index string, writes bool, a *AutoScaling) {
	c := &s.Capacity
	if is := s.Index(index); is != nil {
		c = &is.Capacity
	}
	if a.Disabled || s.Billing.OnDemandMode() {
		return
	}
	u := &c.Provisioned.Units.Read
	if writes {
		u = &c.Provisioned.Units.Write
	}
	if to := min(max(*u, a.Min), a.Max); to <= TableMaxUnits {
		*u = to
	}
}

// DescribeScaling describes the auto scaling settings of the table ("") or of an index.
func (s *Settings) DescribeScaling(index string) (read, write *api.AutoScalingSettingsDescription) {
	sc := s.scaling(index)
	if sc == nil {
		sc = new(Scaling)
	}
	onDemand := s.Billing.OnDemandMode()
	return sc.Read.describe(onDemand), sc.Write.describe(onDemand)
}

// serviceRole returns the role of auto scaling unless a request gives another (Application Auto
// Scaling User Guide, "Service-linked roles").
func serviceRole(o arn.Owner) string {
	return "arn:" + o.Partition() + ":iam::" + o.Account +
		":role/aws-service-role/dynamodb.application-autoscaling.amazonaws.com/" +
		"AWSServiceRoleForApplicationAutoScaling_DynamoDBTable"
}
