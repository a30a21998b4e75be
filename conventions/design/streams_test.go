package design

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestStreamShowsModels checks that a consumer of the stream can tell an item's model: by the name
// of its model where the values of keys look alike.
func TestStreamShowsModels(t *testing.T) {
	for _, c := range []struct {
		name  string
		kept  Keeping
		liked Format // the format of the key of Like
		want  []string
	}{
		{"by transaction", ByTransaction, ULID, []string{"{id}", "{id}"}},
		{"by the stream", ByStream, ULID, []string{"Post#{id}", "Like#{id}"}},
		{"by the stream, once", ByStreamOnce, ULID,
			[]string{"Post#{id}", "Like#{id}", "LikeCounted#{event}"}},
		{"keys of two formats", ByStream, UUID, []string{"{id}", "{id}"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &Design{Table: "liked", Models: []Model{
				{Name: "Post", Key: []string{"id"}, Items: 100, Attributes: []Attribute{
					{Name: "id", Type: String, Format: ULID},
					{Name: "likes", Type: Number, Counts: "Like", Kept: c.kept}}},
				{Name: "Like", Key: []string{"id"}, Items: 1_000, Attributes: []Attribute{
					{Name: "id", Type: String, Format: c.liked},
					{Name: "post", Type: String, Format: ULID, Of: "Post.id"}}},
			}, Patterns: []Pattern{
				{Name: "a post", Model: "Post", Equal: []string{"id"}, One: true}}}
			plan, err := Make(d)
			require.NoError(t, err)
			var keys []string
			for i := range plan.Entities {
				keys = append(keys, plan.Entities[i].key(plan.Key.Partition).String())
			}
			assert.Equal(t, c.want, keys)
		})
	}
}
