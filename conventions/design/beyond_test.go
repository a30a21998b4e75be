package design

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAdvice checks what a plan says beyond the guide's steps.
func TestAdvice(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(d *Design)
		want   string
	}{
		{"a hot index", func(d *Design) { d.Models[0].Puts = 1500 },
			"7. warning: GSI1: gets 1500 write units per second of Post under each partition key, and a partition takes 1000: add shards: 3 to posts, whose"},
		{"a hot shard",
			func(d *Design) {
				d.Models[0].Items, d.Models[0].Puts, d.Patterns[0].Shards = 1000, 6000, 3
			},
			"7. warning: GSI1: gets 2000 write units per second of Post under each partition key, and a partition takes 1000: add shards: 7 to posts, whose"},
		{"a hot key of the table",
			func(d *Design) { d.Models[0].Items, d.Models[0].Updates = 1, 2000 },
			"7. warning: posts: gets 2000 write units per second of Post under each partition key, and a partition takes 1000: choose a key with more values"},
		{"a hot pattern", func(d *Design) { d.Patterns[0].Rate = 10_000 },
			"7. warning: posts: reads 5000 units per second of each partition key"},
		{"a large item", func(d *Design) { d.Models[0].Attributes[3].Bytes = 1 << 20 },
			"7. warning: Post: has items of 1024 KB"},
		{"a large sort key", func(d *Design) { d.Models[0].Attribute("created_at").Bytes = 1025 },
			"7. warning: Post: GSI1SK_GSI2SK_GSI3SK has 1,030 bytes on average, and a sort key has at " +
				"most 1,024, so puts are refused"},
		{"a large partition key", func(d *Design) { d.Models[0].Attributes[2].Bytes = 2049 },
			"7. warning: Post: GSI2PK has 2,049 bytes on average, and a partition key has at most 2,048"},
		{"three attributes",
			func(d *Design) { d.Patterns[4].Equal = []string{"author", "genre", "title"} },
			"2. warning: posts of an author: names 3 attributes"},
		{"items in indexes", func(d *Design) { d.Models[0].Attributes[3].Bytes = 1500 },
			"7. Post: a put of an item of 1.7 KB takes 8 write units: 2 for the table, and 6 for " +
				"3 indexes"},
		{"a large partition in the order of time",
			func(d *Design) { d.Models[0].Items, d.Models[0].Puts = 1e9, 1000 },
			"7. posts: reads partition keys with 222 GB each. No limit is on that: DynamoDB splits them " +
				"over several partitions by the sort key, and each serves 3000 read and 1000 write " +
				"units a second. If created_at only grows, the newest items of a key are in one of " +
				"them, and their reads and writes have no more than that\n"},
		{"a large partition",
			func(d *Design) { d.Models[0].Items, d.Patterns[0].Order = 1e9, "title" },
			"7. posts: reads partition keys with 216 GB each. No limit is on that: DynamoDB splits them " +
				"over several partitions by the sort key, and each serves 3000 read and 1000 write " +
				"units a second\n"},
		{"a copy", func(d *Design) {
			d.Models[0].Attributes[1].Mutable, d.Models[0].Items = true, 10
			d.Models[1].Attributes[3].Of, d.Models[1].Items = "Post.title", 50
		}, "7. Comment: content is a copy of Post.title, which changes: a change of one writes 5 items of Comment, 5 write units"},
		{"too many copies", func(d *Design) {
			d.Models[0].Attributes[1].Mutable, d.Models[0].Items = true, 1
			d.Models[1].Attributes[3].Of, d.Models[1].Items = "Post.title", 500
		}, "7. warning: Comment: content is a copy of Post.title, which changes: a change of one writes 500 items of Comment, 500 write units. A transaction"},
		{"a change of a key of an index",
			func(d *Design) { d.Models[0].Attributes[4].Mutable = true },
			"7. Post: a change of genre takes 2 write units in GSI3, which deletes the old copy of the item and puts a new one"},
		{"a number in a text", func(d *Design) {
			d.Models[1].Attributes[3].Type, d.Patterns[2].Order = Number, "content"
		}, "7. Comment: GSI1SK_GSI2SK_GSI3SK holds content as text of 15 digits, which sorts as numbers do: whole numbers of up to 15 digits, not below 0"},
		{"a time to live", func(d *Design) {
			d.Models[0].Attributes = append(d.Models[0].Attributes,
				Attribute{Name: "expires", Type: Number})
			d.Models[0].TTL = "expires"
		}, "so compare expires with the time"},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.NotContains(t, advised(t, guideDesign()), c.want)
			d := guideDesign()
			c.change(d)
			assert.Contains(t, advised(t, d), c.want)
		})
	}
}

// advised returns the notes of a plan.
func advised(t *testing.T, d *Design) (text string) {
	t.Helper()
	p, err := Make(d)
	require.NoError(t, err)
	for _, n := range p.Notes {
		text += n.String() + "\n"
	}
	return text
}
