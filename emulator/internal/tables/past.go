package tables

import (
	"slices"
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
)

// Quotas of changes of a table (service facts T.7, T.8 and T.10). They count for one table: one
// that is made anew under the same name may be changed again (ack-api-quirks, DDB-TABLE-377).
const (
	classChanges       = 2
	classInterval      = 30 * 24 * time.Hour
	encryptionChanges  = 4
	encryptionWindow   = 24 * time.Hour
	encryptionInterval = 6 * time.Hour
	protectionInterval = 15 * time.Second
	tagInterval        = 1800 * time.Millisecond // ack-api-quirks, DDB-TABLE-172
)

// Past records the changes of a table for the quotas. Without quotas it stays empty. Its slices are
// never modified.
type Past struct {
	Classes    []time.Time // the changes of the class that count, the oldest first
	Encryption Window
	Protection time.Time // the last change of DeletionProtectionEnabled
	Tagged     time.Time // the last change of the tags
	Tags       []api.Tag // the tags that TagResource set then; none if UntagResource changed them
	Untagged   []api.Tag // all tags of before that change
}

// Window counts the changes since the first one that opened it.
type Window struct {
	From, Last time.Time
	Changes    int64
}

// stamp is how texts of quotas print times.
const stamp = "2006-01-02T15:04:05.000"

// ChangeClass counts a change of the class, or returns an error if there were too many.
func (p *Past) ChangeClass(now time.Time) error {
	var counted []time.Time
	for _, at := range p.Classes {
		if now.Before(at.Add(classInterval)) {
			counted = append(counted, at)
		}
	}
	if len(counted) >= classChanges {
		return ErrLimit("Updates to TableClass are limited to %d times in %d day(s).",
			classChanges, int(classInterval.Hours()/24))
	}
	p.Classes = append(counted, now)
	return nil
}

// CheckEncryption returns an error if the encryption was changed too often.
func (p *Past) CheckEncryption(now time.Time) error {
	w := &p.Encryption
	end, next := w.From.Add(encryptionWindow), w.Last.Add(encryptionInterval)
	if w.Changes < encryptionChanges || !now.Before(end) || !now.Before(next) {
		return nil
	}
	if end.Before(next) {
		next = end
	}
	const zoned = stamp + "Z07:00"
	return ErrLimit("Encryption mode changes are limited in the 24h window ending at %s. "+
		"After the first %d change, each subsequent change in the same window can be performed "+
		"at most once every %d seconds. Number of updates today: %d. Last change at %s. "+
		"Next changes can be made at %s.",
		end.UTC().Format(zoned), encryptionChanges, int(encryptionInterval.Seconds()), w.Changes,
		w.Last.UTC().Format(zoned), next.UTC().Format(zoned))
}

// ChangeEncryption counts a change of the encryption.
func (p *Past) ChangeEncryption(now time.Time) {
	if w := &p.Encryption; w.Changes == 0 || !now.Before(w.From.Add(encryptionWindow)) {
		*w = Window{From: now}
	}
	p.Encryption.Last = now
	p.Encryption.Changes++
}

// Protecting reports whether DeletionProtectionEnabled was changed a moment ago.
func (p *Past) Protecting(now time.Time) bool {
	return !p.Protection.IsZero() && now.Before(p.Protection.Add(protectionInterval))
}

// ProtectedUntil returns from when on DeletionProtectionEnabled may be changed again.
func (p *Past) ProtectedUntil() string {
	return p.Protection.Add(protectionInterval).UTC().Format(stamp)
}

// Tagging reports whether a change of the tags is still going on.
func (p *Past) Tagging(now time.Time) bool {
	return !p.Tagged.IsZero() && now.Before(p.Tagged.Add(tagInterval))
}

// Repeats reports whether tags include all that TagResource is setting still: such a request is
// taken (ack-api-quirks, DDB-TABLE-440).
func (p *Past) Repeats(tags []api.Tag) bool {
	for _, t := range p.Tags {
		if !slices.ContainsFunc(tags, func(other api.Tag) bool {
			return *other.Key == *t.Key && *other.Value == *t.Value
		}) {
			return false
		}
	}
	return len(p.Tags) > 0
}
