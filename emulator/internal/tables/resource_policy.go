package tables

import (
	"strconv"
	"time"

	"github.com/kugiri-db/kugiri/emulator/iam"
	"github.com/kugiri-db/kugiri/storage"
)

// ResourcePolicy is the resource-based policy of a table or of one of its streams, also after it
// was deleted. A change takes effect later.
type ResourcePolicy struct {
	Stream  string // label; "" for the table
	Now     PolicyVersion
	Before  PolicyVersion // the version in effect until From
	From    time.Time
	Changed time.Time
}

// PolicyVersion is a policy between two changes. It has no Policy if it was deleted or never there.
type PolicyVersion struct {
	Revision string // "" if there was none
	Text     string // canonical
	Policy   *iam.Policy
}

// At returns the version in effect at a point in time.
func (p *ResourcePolicy) At(now time.Time) PolicyVersion {
	if now.Before(p.From) {
		return p.Before
	}
	return p.Now
}

// Same reports whether a document is the same as that of a version.
func (v PolicyVersion) Same(other PolicyVersion) bool {
	return v.Policy != nil && other.Policy != nil && v.Text == other.Text &&
		v.Policy.HasVersion() == other.Policy.HasVersion()
}

// Change returns the policy after a change to a version, which takes effect after a delay. The
// revision is the time of the change, and greater than the one before.
func (p ResourcePolicy) Change(to PolicyVersion, now time.Time,
	delay time.Duration) ResourcePolicy {
	revision := now.UnixMilli()
	if last, err := strconv.ParseInt(p.Now.Revision, 10, 64); err == nil {
		revision = max(revision, last+1)
	}
	to.Revision = strconv.FormatInt(revision, 10)
	return ResourcePolicy{
		Stream: p.Stream, Now: to, Before: p.At(now), From: now.Add(delay), Changed: now,
	}
}

// policyRecord is a ResourcePolicy as a journal keeps it.
type policyRecord struct {
	Stream        string `json:",omitempty"`
	Now, Before   policyVersionRecord
	From, Changed storage.Instant
}

type policyVersionRecord struct {
	Revision string `json:",omitempty"`
	Text     string `json:",omitempty"`
	Unstated bool   `json:",omitempty"` // the document was given without a Version
}

func recordPolicies(all []ResourcePolicy) (records []policyRecord) {
	for _, p := range all {
		records = append(records,
			policyRecord{p.Stream, p.Now.record(), p.Before.record(), storage.InstantOf(p.From),
				storage.InstantOf(p.Changed)})
	}
	return records
}

func (v PolicyVersion) record() policyVersionRecord {
	return policyVersionRecord{v.Revision, v.Text, v.Policy != nil && !v.Policy.HasVersion()}
}

func policiesOf(records []policyRecord) (all []ResourcePolicy, err error) {
	for _, r := range records {
		p := ResourcePolicy{Stream: r.Stream, From: r.From.Time(), Changed: r.Changed.Time()}
		if p.Now, err = r.Now.version(); err != nil {
			return nil, err
		}
		if p.Before, err = r.Before.version(); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

func (r policyVersionRecord) version() (v PolicyVersion, err error) {
	v = PolicyVersion{Revision: r.Revision, Text: r.Text}
	if r.Text == "" {
		return v, nil
	}
	if v.Policy, err = iam.ParseResourcePolicy(r.Text); err == nil && r.Unstated {
		v.Policy = v.Policy.WithoutVersion()
	}
	return v, err
}
