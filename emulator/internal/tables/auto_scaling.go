package tables

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
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

func (a *AutoScaling) set(policy string, in *api.AutoScalingSettingsUpdate) error {
	if in.MinimumUnits != nil {
		a.Min = int64(*in.MinimumUnits)
	}
	if in.MaximumUnits != nil {
		a.Max = int64(*in.MaximumUnits)
	}
	if a.Min > a.Max {
		return apierr.BadParameter("MinimumUnits must not be greater than MaximumUnits")
	}
	switch {
	case in.AutoScalingDisabled != nil:
		a.Disabled = *in.AutoScalingDisabled
	case in.ScalingPolicyUpdate != nil:
		a.Disabled = false
	}
	if in.AutoScalingRoleArn != nil {
		a.Role = string(*api.Clone(in.AutoScalingRoleArn))
	}
	if in.ScalingPolicyUpdate != nil {
		a.setPolicy(policy, in.ScalingPolicyUpdate)
	}
	return nil
}

// setPolicy replaces the policy: there is one for reads and one for writes, whatever its name is
// (ack-api-quirks, DDB-TABLE-237 and 240).
func (a *AutoScaling) setPolicy(name string, in *api.AutoScalingPolicyUpdate) {
	t := in.TargetTrackingScalingPolicyConfiguration
	p := ScalingPolicy{
		Name: name, DisableScaleIn: t.DisableScaleIn,
		In: t.ScaleInCooldown, Out: t.ScaleOutCooldown, Target: *t.TargetValue,
	}
	if in.PolicyName != nil {
		p.Name = string(*api.Clone(in.PolicyName))
	}
	a.Policies = []ScalingPolicy{p}
}

// describe describes the settings. Auto scaling that was never set is like one that is off; on
// demand the settings stay, and are off (ack-api-quirks, DDB-TABLE-189, 242 and 317).
func (a *AutoScaling) describe(onDemand bool) *api.AutoScalingSettingsDescription {
	d := &api.AutoScalingSettingsDescription{
		ScalingPolicies: []api.AutoScalingPolicyDescription{},
	}
	off := a == nil || a.Disabled
	if off || onDemand {
		d.AutoScalingDisabled = api.Ref(true)
	}
	if off {
		return d
	}
	d.MinimumUnits, d.MaximumUnits = api.Ref(api.PositiveLongObject(a.Min)), api.Ref(
		api.PositiveLongObject(a.Max))
	d.AutoScalingRoleArn = api.Ref(a.Role)
	for _, p := range a.Policies {
		d.ScalingPolicies = append(d.ScalingPolicies, api.AutoScalingPolicyDescription{
			PolicyName: api.Ref(api.AutoScalingPolicyName(p.Name)),
			TargetTrackingScalingPolicyConfiguration: &api.AutoScalingTargetTrackingScalingPolicyConfigurationDescription{
				DisableScaleIn: p.DisableScaleIn, ScaleInCooldown: p.In, ScaleOutCooldown: p.Out,
				TargetValue: api.Ref(p.Target)},
		})
	}
	return d
}
