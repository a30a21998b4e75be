package serve

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/kugiri-db/kugiri/conventions/api"
)

// TestOperationsSayWhatTheyShow: an operation that does not say it, or says of items that they are
// settings, cannot be in the table of operations.
func TestOperationsSayWhatTheyShow(t *testing.T) {
	for _, c := range []struct {
		name, operation string
		shows           Shows
		refused         bool
	}{
		{"nothing is said", "ListTables", 0, true},
		{"nothing is said of items", "GetItem", 0, true},
		{"items as settings", "GetItem", ShowsSettings, true},
		{"items as a list", "GetItem", ShowsFiltered, true},
		{"a list as items", "ListTables", ShowsItems, true},
		{"items", "GetItem", ShowsItems, false},
		{"a list", "ListTables", ShowsFiltered, false},
		{"settings", "ListTables", ShowsSettings, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			add := func() {
				Owns(c.operation, c.shows,
					func(*Call, *api.ListTablesInput) (*api.ListTablesOutput, error) {
						return nil, nil
					}, TouchesNothing)
			}
			if c.refused {
				assert.Panics(t, add)
			} else {
				assert.NotPanics(t, add)
			}
		})
	}
}
