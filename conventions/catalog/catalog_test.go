package catalog

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestOperationsAreInOrder(t *testing.T) {
	assert.True(t,
		slices.IsSortedFunc(operations,
			func(a, b Operation) int { return strings.Compare(a.Name, b.Name) }))
}

func TestNamed(t *testing.T) {
	n := 0
	for want := range All() {
		n++
		got, ok := Named(want.Name)
		assert.True(t, ok, want.Name)
		assert.Equal(t, want, got)
		assert.Equal(t, want.Subject, SubjectOf(want.Name))
		assert.NotEqual(t, Unknown, want.Subject, want.Name)
		assert.NotEqual(t, Unstated, want.Needs, want.Name)
	}
	assert.Len(t, operations, n)
	for _, name := range []string{"", "FlyItem", "getitem", "Zoo"} {
		_, ok := Named(name)
		assert.False(t, ok, name)
		assert.Equal(t, Unknown, SubjectOf(name))
	}
}

func TestTarget(t *testing.T) {
	get, _ := Named("GetItem")
	records, _ := Named("GetRecords")
	assert.Equal(t, "DynamoDB_20120810.GetItem", get.Target())
	assert.Equal(t, "DynamoDBStreams_20120810.GetRecords", records.Target())
}

// TestPartsAreOfItems: only requests for items have several parts, and only statements decide on
// their access.
func TestPartsAreOfItems(t *testing.T) {
	for o := range All() {
		if o.Subject != Items {
			assert.Equal(t, Single, o.Parts, o.Name)
			assert.NotEqual(t, Either, o.Access, o.Name)
		}
	}
}
