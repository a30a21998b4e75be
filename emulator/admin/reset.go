package admin

import (
	"net/http"

	"github.com/kugiri-db/kugiri/emulator"
)

// reset removes all tables, or takes them back to the seed.
func reset(e *emulator.Emulator, r *http.Request) (int, any, error) {
	if err := nothing(r); err != nil {
		return failed(err)
	}
	e.Reset()
	return done()
}
