package emulator

import "github.com/kugiri-db/kugiri/emulator/internal/front"

// delegates holds the services that answer for certain access keys.
type delegates struct{ front.ByKey[*Emulator] }

// answering returns the service that answers the requests of an access key to e.
func answering(e *Emulator, accessKey string) *Emulator {
	if to := e.delegates.Of(accessKey); to != nil {
		return to
	}
	return e
}

// expire deletes the expired items in delegates whose clock is not held.
func (d *delegates) expire() {
	for _, to := range d.All() {
		if to.settings.held == nil {
			to.ExpireItems()
		}
	}
}
