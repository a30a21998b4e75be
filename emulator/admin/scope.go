package admin

import "github.com/kugiri-db/kugiri/emulator"

// scope is an emulator, the server's or a fork, with its snapshots, faults and recorded requests.
type scope struct {
	emulator  *emulator.Emulator
	snapshots snapshots
	faults    faults
	traffic   recorded
}

func newScope(e *emulator.Emulator) *scope {
	return &scope{e, snapshots{of: e}, faults{of: e}, recorded{of: e}}
}
