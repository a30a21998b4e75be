package emulator

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/tables"
	"github.com/kugiri-db/kugiri/storage"
)

const taggedARN = "arn:aws:dynamodb:us-east-1:000000000000:table/table"

// resource is a request with a ResourceArn and other members.
func resource(arn string, members ...string) string {
	return `{` + strings.Join(append([]string{`"ResourceArn":"` + arn + `"`}, members...),
		",") + `}`
}

func TestTags(t *testing.T) {
	x := newTableTest(t)
	x.create("table", defs("pk"), keySchema("pk"), onDemandBilling,
		`"Tags":[{"Key":"a","Value":"1"}]`)
	list := func() string { return x.ok("ListTagsOfResource", resource(taggedARN)) }
	assert.Empty(t,
		x.ok("TagResource",
			resource(taggedARN, `"Tags":[{"Key":"b","Value":"2"},{"Key":"a","Value":""}]`)))
	assert.JSONEq(t, `{"Tags":[{"Key":"a","Value":""},{"Key":"b","Value":"2"}]}`, list())
	assert.Empty(t, x.ok("UntagResource", resource(taggedARN, `"TagKeys":["a","missing"]`)))
	assert.JSONEq(t, `{"Tags":[{"Key":"b","Value":"2"}]}`, list())
	x.ok("UntagResource", resource(taggedARN, `"TagKeys":["b"]`))
	assert.JSONEq(t, `{"Tags":[]}`, list())
	x.ok("TagResource",
		resource(taggedARN,
			`"Tags":[`+strings.Join(numbered(50, `{"Key":"k%d","Value":"v"}`), ",")+`]`))
	assert.Equal(t, 50, strings.Count(list(), `"Key"`))
	x.ok("TagResource", resource(taggedARN, `"Tags":[{"Key":"k0","Value":"other"}]`))
	x.fails("TagResource", resource(taggedARN, `"Tags":[{"Key":"k50","Value":"v"}]`),
		"ValidationException: Number of Tags exceed the current limit for the provided ResourceArn")
}

// A reader that has got hold of a table's settings keeps them as they are.
func TestTagsAreReplaced(t *testing.T) {
	x := newTableTest(t)
	x.create("table", defs("pk"), keySchema("pk"), onDemandBilling,
		`"Tags":[{"Key":"a","Value":"1"},{"Key":"b","Value":"2"}]`)
	var s *tables.Settings
	require.NoError(t, x.account().Store.View(func(tx *storage.Tx) error {
		s = tables.SettingsOf(tx, tx.Table("table"))
		return nil
	}))
	x.ok("UntagResource", resource(taggedARN, `"TagKeys":["a"]`))
	x.ok("TagResource", resource(taggedARN, `"Tags":[{"Key":"b","Value":"3"}]`))
	assert.Equal(t, []api.Tag{
		{Key: api.Ref("a"), Value: api.Ref("1")},
		{Key: api.Ref("b"), Value: api.Ref("2")},
	}, s.Tags)
}
