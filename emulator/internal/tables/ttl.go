package tables

import (
	"time"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
)

// TimeToLive is a table's TTL.
type TimeToLive struct {
	Enabled   bool
	Attribute string // kept while DISABLING
	Changed   time.Time
	State     Transition // ENABLING or DISABLING
}

// Status is the state of TTL at a point in time (API Reference, TimeToLiveDescription).
func (l *TimeToLive) Status(now time.Time) api.TimeToLiveStatus {
	switch state := l.State.At(now); {
	case state != Active:
		return api.TimeToLiveStatus(state)
	case l.Enabled:
		return "ENABLED"
	}
	return "DISABLED"
}

// CheckChange returns an error if a request would change nothing, or names another attribute than
// the current one.
func (l *TimeToLive) CheckChange(spec *api.TimeToLiveSpecification) error {
	switch {
	case *spec.Enabled == l.Enabled && !l.Enabled:
		return apierr.Invalid("TimeToLive is already disabled")
	case l.Enabled && string(*spec.AttributeName) != l.Attribute:
		return apierr.Invalid(
			"TimeToLive is active on a different AttributeName: current AttributeName is %s",
			l.Attribute)
	case *spec.Enabled == l.Enabled:
		return apierr.Invalid("TimeToLive is already enabled")
	}
	return nil
}
