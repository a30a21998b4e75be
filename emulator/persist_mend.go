package emulator

import (
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
	"github.com/kugiri-db/kugiri/storage/journal"
)

// Mend reads what a journal has kept of a service, and adds to the batch what has to
// change so that Open takes it. It is for a journal that has lost something.
func Mend(j journal.Journal, changes *journal.Batch) (*storage.Mended, error) {
	return storage.Mend(storage.Options{Now: time.Now}, j, tables.Codec{}, changes)
}
