package tables

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
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

// AutoScaled reports whether auto scaling sets the write capacity of the table and its indexes.
func (s *Settings) AutoScaled() bool {
	scales := func(index string) bool {
		sc := s.scaling(index)
		return sc != nil && sc.Write != nil && !sc.Write.Disabled
	}
	for i := range s.Indexes {
		if s.Indexes[i].Gone == nil && !scales(s.Indexes[i].Name) {
			return false
		}
	}
	return scales("")
}

// Scale changes the auto scaling settings of the table ("") or of an index, for writes or reads.
func (s *Settings) Scale(o arn.Owner, index string, writes bool,
	in *api.AutoScalingSettingsUpdate) error {
	if in == nil {
		return nil
	}
	if s.scaling(index) == nil {
		s.Scaling = append(s.Scaling, Scaling{Index: index})
	}
	sc := s.scaling(index)
	of := &sc.Read
	if writes {
		of = &sc.Write
	}
	next := AutoScaling{Min: 1, Max: TableMaxUnits, Role: serviceRole(o)}
	if *of != nil {
		next = **of
	}
	if err := next.set(in); err != nil {
		return err
	}
	*of = &next
	s.clamp(index, writes, &next)
	return nil
}

// clamp brings throughput between the limits of its auto scaling.
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
	*u = min(max(*u, a.Min), a.Max)
}

// DescribeScaling describes the auto scaling settings of the table ("") or of an index. What was
// never set is nil.
func (s *Settings) DescribeScaling(index string) (read, write *api.AutoScalingSettingsDescription) {
	sc := s.scaling(index)
	if sc == nil {
		return nil, nil
	}
	return sc.Read.describe(), sc.Write.describe()
}

// serviceRole returns the role of auto scaling unless a request gives another (Application Auto
// Scaling User Guide, "Service-linked roles").
func serviceRole(o arn.Owner) string {
	return "arn:" + o.Partition() + ":iam::" + o.Account +
		":role/aws-service-role/dynamodb.application-autoscaling.amazonaws.com/" +
		"AWSServiceRoleForApplicationAutoScaling_DynamoDBTable"
}
