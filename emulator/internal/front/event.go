package front

import (
	"net/http"

	"github.com/kugiri-db/kugiri/emulator/internal/httpd"
	"github.com/kugiri-db/kugiri/emulator/internal/observe"
)

// Record returns a Recording for a request, or nil if there are no observers.
func (f *Front) Record(r *http.Request) *observe.Recording {
	ev := f.Observers.Begin()
	if ev != nil {
		ev.Time, ev.Remote = f.Service.Clock(), r.RemoteAddr
		ev.Asks(r.Header)
	}
	return ev
}

// Tell calls the observers with the event of a request. h has the headers of the answer, if the
// request got one.
func (f *Front) Tell(ev *observe.Recording, h http.Header) {
	if ev == nil {
		return
	}
	ev.Duration = f.Service.Clock().Sub(ev.Time)
	ev.RequestID = httpd.First(h["X-Amzn-Requestid"])
	ev.Tell()
	ev.Free()
}
