package tables

import (
	"github.com/kugiri-db/kugiri/emulator/internal/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/emulator/internal/arn"
)

// Scaling has the auto scaling settings of a table or a global index.
type Scaling struct {
	Index       string       `json:",omitempty"` // "" for the table
	Read, Write *AutoScaling `json:",omitempty"`
}

// AutoScaling has the auto scaling settings of reads or writes. Throughput stays between Min and
// Max; the emulator changes it only to keep it there.
type AutoScaling struct {
	Min, Max int64
	Disabled bool            `json:",omitempty"`
	Role     string          `json:",omitempty"`
	Policies []ScalingPolicy `json:",omitempty"`
}

// ScalingPolicy is a target tracking policy.
type ScalingPolicy struct {
	Name           string
	DisableScaleIn *bool              `json:",omitempty"`
	In, Out        *api.IntegerObject `json:",omitempty"` // cooldowns, in seconds
	Target         float64
}

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
func (s *Settings) Scale(o arn.Owner, index string, writes bool, in *api.AutoScalingSettingsUpdate) error {
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

// serviceRole returns the role of auto scaling unless a request gives another (Application Auto
// Scaling User Guide, "Service-linked roles").
func serviceRole(o arn.Owner) string {
	return "arn:" + o.Partition() + ":iam::" + o.Account + ":role/aws-service-role/dynamodb.application-autoscaling.amazonaws.com/" +
		"AWSServiceRoleForApplicationAutoScaling_DynamoDBTable"
}

func (a *AutoScaling) set(in *api.AutoScalingSettingsUpdate) error {
	if in.MinimumUnits != nil {
		a.Min = int64(*in.MinimumUnits)
	}
	if in.MaximumUnits != nil {
		a.Max = int64(*in.MaximumUnits)
	}
	if a.Min > a.Max {
		return apierr.BadParameter("MinimumUnits must not be greater than MaximumUnits")
	}
	if in.AutoScalingDisabled != nil {
		a.Disabled = *in.AutoScalingDisabled
	}
	if in.AutoScalingRoleArn != nil {
		a.Role = string(*api.Clone(in.AutoScalingRoleArn))
	}
	if in.ScalingPolicyUpdate != nil {
		a.setPolicy(in.ScalingPolicyUpdate)
	}
	return nil
}

// setPolicy replaces the policy with the same name, or adds one.
func (a *AutoScaling) setPolicy(in *api.AutoScalingPolicyUpdate) {
	t := in.TargetTrackingScalingPolicyConfiguration
	p := ScalingPolicy{Name: "DynamoDBCapacityUtilization", DisableScaleIn: t.DisableScaleIn, In: t.ScaleInCooldown, Out: t.ScaleOutCooldown, Target: *t.TargetValue}
	if in.PolicyName != nil {
		p.Name = string(*api.Clone(in.PolicyName))
	}
	policies := []ScalingPolicy{}
	for _, old := range a.Policies {
		if old.Name != p.Name {
			policies = append(policies, old)
		}
	}
	a.Policies = append(policies, p)
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

func (a *AutoScaling) describe() *api.AutoScalingSettingsDescription {
	if a == nil {
		return nil
	}
	d := &api.AutoScalingSettingsDescription{AutoScalingDisabled: api.Ref(a.Disabled)}
	if a.Disabled {
		return d
	}
	d.MinimumUnits, d.MaximumUnits = api.Ref(api.PositiveLongObject(a.Min)), api.Ref(api.PositiveLongObject(a.Max))
	d.AutoScalingRoleArn = api.Ref(a.Role)
	for _, p := range a.Policies {
		d.ScalingPolicies = append(d.ScalingPolicies, api.AutoScalingPolicyDescription{
			PolicyName: api.Ref(api.AutoScalingPolicyName(p.Name)),
			TargetTrackingScalingPolicyConfiguration: &api.AutoScalingTargetTrackingScalingPolicyConfigurationDescription{
				DisableScaleIn: p.DisableScaleIn, ScaleInCooldown: p.In, ScaleOutCooldown: p.Out, TargetValue: api.Ref(p.Target)},
		})
	}
	return d
}
