package design

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// guideDesign is the example of the guide "Designing a DynamoDB table": posts with comments and
// likes.
func guideDesign() *Design {
	id := Attribute{Name: "id", Type: String, Format: UUID}
	postID := Attribute{Name: "post_id", Type: String, Format: UUID, Of: "Post.id"}
	text := func(name string) Attribute { return Attribute{Name: name, Type: String} }
	createdAt := Attribute{Name: "created_at", Type: String, Format: Timestamp}
	updatedAt := Attribute{Name: "updated_at", Type: String, Format: Timestamp}
	return &Design{
		Table:     "posts",
		Separator: "_",
		Models: []Model{
			{Name: "Post", Key: []string{"id"},
				Attributes: []Attribute{id, text("title"), text("author"), text("content"),
					text("genre"), createdAt, updatedAt}},
			{Name: "Comment", Key: []string{"id"},
				Attributes: []Attribute{id, postID, text("author"), text("content"), createdAt,
					updatedAt}},
			{Name: "Like", Key: []string{"id"},
				Attributes: []Attribute{id, postID, text("author"), createdAt}},
		},
		Patterns: []Pattern{
			{Name: "posts", Model: "Post", Order: "created_at", Descending: true},
			{Name: "post", Model: "Post", Equal: []string{"id"}, One: true},
			{Name: "comments of a post", Model: "Comment", Equal: []string{"post_id"},
				Order: "created_at"},
			{Name: "likes of a post", Model: "Like", Equal: []string{"post_id"},
				Order: "created_at"},
			{Name: "posts of an author", Model: "Post", Equal: []string{"author"},
				Order: "created_at", Descending: true},
			{Name: "posts of a genre", Model: "Post", Equal: []string{"genre"}, Order: "created_at",
				Descending: true},
		},
	}
}

// TestGuide checks that the plan is the final table of the guide, and that its six queries are
// those of the guide.
func TestGuide(t *testing.T) {
	p, err := Make(guideDesign())
	require.NoError(t, err)
	const sk, at = "SK_GSI1PK", "GSI1SK_GSI2SK_GSI3SK"
	assert.Equal(t, Key{Partition: "PK", Sort: sk}, p.Key)
	assert.Equal(t, []Index{
		{Name: "GSI1", Key: Key{Partition: sk, Sort: at},
			Models: []string{"Post", "Comment", "Like"}},
		{Name: "GSI2", Key: Key{Partition: "GSI2PK", Sort: at}, Models: []string{"Post"}},
		{Name: "GSI3", Key: Key{Partition: "GSI3PK", Sort: at}, Models: []string{"Post"}},
	}, p.Indexes)
	assert.Equal(t, map[string][]string{
		"Post": {
			"PK={id}", sk + "=post", at + "=Post_{created_at}", "GSI2PK={author}", "GSI3PK={genre}",
			"title={title}", "content={content}", "updated_at={updated_at}",
		},
		"Comment": {"PK={id}", sk + "={post_id}", at + "=Comment_{created_at}",
			"comment_author={author}", "content={content}", "updated_at={updated_at}"},
		"Like": {"PK={id}", sk + "={post_id}", at + "=Like_{created_at}",
			"like_author={author}"},
	}, stored(p))
	assert.Equal(t, []string{
		"posts: Query GSI1, SK_GSI1PK = post, " + at + " begins_with Post_, descending",
		"post: GetItem, PK = {id}, SK_GSI1PK = post",
		"comments of a post: Query GSI1, SK_GSI1PK = {post_id}, " + at + " begins_with Comment_",
		"likes of a post: Query GSI1, SK_GSI1PK = {post_id}, " + at + " begins_with Like_",
		"posts of an author: Query GSI2, GSI2PK = {author}, descending",
		"posts of a genre: Query GSI3, GSI3PK = {genre}, descending",
	}, queries(p))
	assert.True(t, p.Search.Exact)
}

// stored lists what each model has in its attributes.
func stored(p *Plan) map[string][]string {
	all := map[string][]string{}
	for _, e := range p.Entities {
		for _, s := range append(e.Keys, e.Others...) {
			all[e.Model] = append(all[e.Model], s.Name+"="+s.Value.String())
		}
	}
	return all
}

func queries(p *Plan) (all []string) {
	for i := range p.Queries {
		all = append(all, p.Queries[i].Pattern+": "+p.Queries[i].String())
	}
	return all
}

// TestNothingStrays checks that a model without a sort key of its own, which then holds the model's
// name, is not brought into an index whose partition key the sort key could be.
func TestNothingStrays(t *testing.T) {
	id := func(name string) Attribute { return Attribute{Name: name, Type: String, Format: ULID} }
	p, err := Make(&Design{Table: "table", Models: []Model{
		{Name: "User", Key: []string{"user"}, Attributes: []Attribute{id("user")}},
		{Name: "Game", Key: []string{"game"},
			Attributes: []Attribute{id("game"), {Name: "map", Type: String},
				{Name: "opened", Type: String, Mutable: true}}},
		{Name: "UserGame", Key: []string{"game", "user"},
			Attributes: []Attribute{id("game"), id("user")}},
	}, Patterns: []Pattern{
		{Name: "a user", Model: "User", Equal: []string{"user"}, One: true},
		{Name: "a game", Model: "Game", Equal: []string{"game"}, One: true},
		{Name: "users of a game", Model: "UserGame", Equal: []string{"game"}},
		{Name: "games of a user", Model: "UserGame", Equal: []string{"user"}, Order: "game"},
		{Name: "games", Model: "Game"},
		{Name: "games of a map", Model: "Game", Equal: []string{"map"}, Order: "opened"},
	}})
	require.NoError(t, err)
	assert.Empty(t, Strayed(p))
}

func TestPlans(t *testing.T) {
	id, x := Attribute{Name: "id", Type: String}, Attribute{Name: "x", Type: String}
	n, at := Attribute{Name: "n", Type: Number}, Attribute{
		Name: "at", Type: String, Format: Timestamp,
	}
	model := func(name string, key ...string) Model {
		return Model{
			Name: name, Key: key,
			Attributes: []Attribute{id, x, n, at, {Name: "state", Type: String, Mutable: true}},
		}
	}
	for _, c := range []struct {
		name     string
		models   []Model
		patterns []Pattern
		want     []string
	}{{
		name:     "equal ids of two models are kept apart",
		models:   []Model{model("A", "id"), model("B", "id")},
		patterns: []Pattern{{Name: "p", Model: "A", Equal: []string{"id"}, One: true}},
		want:     []string{"p: GetItem, PK = A#{id}"},
	}, {
		name:     "the pattern's key saves an index",
		models:   []Model{model("A", "x", "id")},
		patterns: []Pattern{{Name: "p", Model: "A", Equal: []string{"x"}, Order: "at"}},
		want:     []string{"p: Query, PK = {x}"},
	}, {
		name:   "a range of a number stays a number",
		models: []Model{model("A", "id")},
		patterns: []Pattern{{Name: "p", Model: "A", Equal: []string{"x"}, Range: "n"},
			{Name: "q", Model: "A", Equal: []string{"id"}}},
		want: []string{"p: Query GSI1, SK_GSI1PK = {x}, GSI1SK BETWEEN {from} AND {to}"},
	}, {
		name:   "an attribute that changes is not in the key of the table",
		models: []Model{model("A", "id")},
		patterns: []Pattern{{Name: "p", Model: "A", Equal: []string{"state"}, Order: "at"},
			{Name: "q", Model: "A", Equal: []string{"id"}}},
		want: []string{"p: Query GSI1, GSI1PK = {state}", "q: GetItem, PK = {id}"},
	}, {
		name:   "an item read by its key is read by GetItem, so the sort key is no other attribute",
		models: []Model{model("A", "id")},
		patterns: []Pattern{{Name: "p", Model: "A", Equal: []string{"id"}, One: true},
			{Name: "q", Model: "A", Equal: []string{"x"}, Order: "at"},
			{Name: "r", Model: "A", Equal: []string{"n"}}},
		want: []string{"p: GetItem, PK = {id}"},
	}, {
		name:   "nothing follows a text that orders",
		models: []Model{model("A", "id")},
		patterns: []Pattern{{Name: "p", Model: "A", Equal: []string{"x"}, Order: "state"},
			{Name: "q", Model: "A", Equal: []string{"n"}, Order: "x"}},
		want: []string{"p: Query GSI1, SK_GSI1PK_GSI2SK = {x}", "q: Query GSI2, GSI2PK = {n}"},
	}, {
		name:   "a text that orders one pattern, has one value in another and a value before the order in a third",
		models: []Model{model("A", "id")},
		patterns: []Pattern{
			{Name: "p", Model: "A", Equal: []string{"n", "x"}},
			{Name: "q", Model: "A", Equal: []string{"n"}, Order: "x"},
			{Name: "r", Model: "A", Equal: []string{"n", "x"}, Order: "at"},
			{Name: "s", Model: "A", Equal: []string{"id"}},
		},
		want: []string{"p: Query GSI1, SK_GSI1PK_GSI2PK = {n}, GSI1SK = {x}",
			"q: Query GSI1, SK_GSI1PK_GSI2PK = {n}",
			"r: Query GSI2, SK_GSI1PK_GSI2PK = {n}, GSI2SK begins_with {x}#"},
	}, {
		name:   "a beginning comes after a model's name and equal parts",
		models: []Model{model("A", "id"), model("B", "id")},
		patterns: []Pattern{{Name: "p", Model: "A", Equal: []string{"n", "at"}, Begins: "x"},
			{Name: "q", Model: "B", Equal: []string{"n"}, Begins: "state"},
			{Name: "r", Model: "A", Equal: []string{"id"}, One: true}},
		want: []string{"p: Query GSI1, GSI1PK = {n}, GSI1SK begins_with A#{at}#{x}",
			"q: Query GSI1, GSI1PK = {n}, GSI1SK begins_with B#{state}"},
	}, {
		name:   "a beginning of the last attribute is the whole condition of a partition of its own",
		models: []Model{model("A", "id")},
		patterns: []Pattern{{Name: "p", Model: "A", Equal: []string{"n"}, Begins: "x"},
			{Name: "q", Model: "A", Equal: []string{"id"}}},
		want: []string{"p: Query GSI1, SK_GSI1PK = {n}, GSI1SK begins_with {x}"},
	}, {
		name:   "keys go on after a timestamp that a request begins",
		models: []Model{model("A", "x", "id")},
		patterns: []Pattern{
			{Name: "p", Model: "A", Equal: []string{"x"}, Begins: "at", Order: "at"},
		},
		want: []string{"p: Query, PK = {x}, SK begins_with {at}"},
	}} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Make(&Design{Table: "table", Models: c.models, Patterns: c.patterns})
			require.NoError(t, err)
			assert.Equal(t, c.want, queries(p)[:len(c.want)])
		})
	}
}

// TestTogether checks plans for patterns over several models.
func TestTogether(t *testing.T) {
	id, at := Attribute{Name: "id", Type: String, Format: ULID}, Attribute{
		Name: "at", Type: String, Format: Timestamp,
	}
	order := Attribute{Name: "order", Type: String, Format: ULID, Of: "Order.id"}
	models := []Model{
		{Name: "Order", Key: []string{"id"}, Attributes: []Attribute{id, at}},
		{Name: "Line", Key: []string{"order", "n"},
			Attributes: []Attribute{order, {Name: "n", Type: Number}, at}},
		{Name: "Payment", Key: []string{"id"}, Attributes: []Attribute{id, order, at}},
	}
	one := Pattern{Name: "order", Model: "Order", Equal: []string{"id"}, One: true}
	lines := Pattern{Name: "lines", Model: "Line", Equal: []string{"order"}, Order: "n"}
	with := func(name string, models ...string) Pattern {
		return Pattern{Name: name, Models: models, Equal: []string{"id"}}
	}
	history := with("history", "Order", "Line", "Payment")
	history.Order = "at"
	for _, c := range []struct {
		name     string
		patterns []Pattern
		indexes  int
		want     []string
		payment  string
	}{{
		name:     "the table's partitions hold the models that are read together",
		patterns: []Pattern{one, lines, with("order with lines", "Order", "Line")},
		want: []string{"order: GetItem, PK = {id}, SK = Order#order",
			"lines: Query, PK = {order}, SK begins_with Line#",
			"order with lines: Query, PK = {id}"},
		payment: "PK={id} SK=Payment#payment order={order} at={at}",
	}, {
		name:     "all models together",
		patterns: []Pattern{one, with("all", "Order", "Line", "Payment")},
		want:     []string{"order: GetItem, PK = {id}, SK = order", "all: Query, PK = {id}"},
		payment:  "PK={order} SK={id} at={at}",
	}, {
		name: "two and three models of one partition need a key each",
		patterns: []Pattern{with("two", "Order", "Line"),
			with("three", "Order", "Line", "Payment")},
		indexes: 1,
		want:    []string{"two: Query GSI1, GSI1PK = {id}", "three: Query, PK = {id}"},
		payment: "PK={order} SK={id} at={at}",
	}, {
		name:     "the items of several models in one order",
		patterns: []Pattern{one, lines, history},
		indexes:  1,
		want: []string{"order: GetItem, PK = {id}, SK = Order#order",
			"lines: Query, PK = {order}, SK begins_with Line#",
			"history: Query GSI1, GSI1PK = {id}"},
		payment: "PK={id} SK=Payment#payment GSI1PK={order} GSI1SK={at}",
	}} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Make(&Design{Table: "table", Models: models, Patterns: c.patterns})
			require.NoError(t, err)
			assert.Len(t, p.Indexes, c.indexes)
			assert.Equal(t, c.want, queries(p))
			assert.Equal(t, c.payment, strings.Join(stored(p)["Payment"], " "))
		})
	}
}

// TestDifferent checks how many values attributes have together: no more than there are items.
func TestDifferent(t *testing.T) {
	for _, c := range []struct {
		name  string
		items int64
		want  int64
	}{
		{"few items", 1000, 1000},
		{"more than the values", 1e9, 300 * 5000},
		{"no items", 0, 1},
		{"a product beyond what an int64 holds", 4e9, 300 * 5000},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := guideDesign()
			d.Models[0].Items = c.items
			d.Models[0].Attribute("author").Values = 300
			d.Models[0].Attribute("genre").Values = 5000
			assert.Equal(t, c.want, d.Different("Post", []string{"author", "genre"}))
			assert.Equal(t, max(c.items, 1), d.Different("Post", []string{"id", "title"}))
		})
	}
}
