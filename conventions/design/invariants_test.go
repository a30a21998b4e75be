package design

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// likesDesign has users, their posts, and likes.
func likesDesign() *Design {
	return &Design{Table: "likes", Models: []Model{
		{Name: "User", Key: []string{"id"}, Items: 1000, Puts: 5, Attributes: []Attribute{
			{Name: "id", Type: String, Format: ULID}, {Name: "email", Type: String},
			{Name: "country", Type: String, Values: 50}, {Name: "nick", Type: String},
			{Name: "n", Type: Number}}},
		{Name: "Post", Key: []string{"id"}, Items: 1000, Puts: 2, Attributes: []Attribute{
			{Name: "id", Type: String, Format: ULID},
			{Name: "author", Type: String, Format: ULID, Of: "User.id"},
			{Name: "text", Type: String, Bytes: 100}, {Name: "likes", Type: Number}}},
		{Name: "Like", Key: []string{"post", "user"}, Items: 1000, Puts: 40,
			Attributes: []Attribute{
				{Name: "post", Type: String, Format: ULID, Of: "Post.id"},
				{Name: "user", Type: String, Format: ULID, Of: "User.id"},
				{Name: "weight", Type: Number},
				{Name: "at", Type: String, Format: Timestamp}}},
	}, Patterns: []Pattern{
		{Name: "a user", Model: "User", Equal: []string{"id"}, One: true},
		{Name: "posts of an author", Model: "Post", Equal: []string{"author"}, Order: "id"},
		{Name: "likes of a post", Model: "Like", Equal: []string{"post"}, Order: "at"},
	}}
}

func (d *Design) counting(model, attribute, counts string, kept Keeping) {
	a := d.Model(model).Attribute(attribute)
	a.Counts, a.Kept = counts, kept
}

// copying has posts copy the nick of their author, which changes.
func copying(kept Keeping, rate float64) func(d *Design) {
	return func(d *Design) {
		d.Models[0].Changes = []Change{{Of: []string{"nick"}, Rate: rate}}
		d.Models[1].Attributes = append(d.Models[1].Attributes,
			Attribute{Name: "nick", Type: String, Of: "User.nick", Kept: kept})
	}
}

// TestInvariantCosts checks what the table is charged for the writes that keep invariants.
func TestInvariantCosts(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(d *Design)
		units  float64 // units of the table, a second
		writes []string
	}{
		{"nothing", func(*Design) {}, 5 + 2 + 40, nil},
		{"a unique attribute", func(d *Design) { d.Models[0].Unique = [][]string{{"email"}} },
			2*(5+5) + 2 + 40, []string{"put User", "delete User", "change email of User"}},
		{"a unique attribute that changes", func(d *Design) {
			d.Models[0].Unique = [][]string{{"email"}}
			d.Models[0].Changes = []Change{{Of: []string{"email"}, Rate: 1}}
		}, 2*(5+5) + 2*3 + 2 + 40, []string{"put User", "delete User", "change email of User"}},
		{"attributes that are unique together", func(d *Design) {
			d.Models[0].Unique = [][]string{{"email"}, {"country", "nick"}}
		}, 2*(5+5+5) + 2 + 40, []string{"put User", "delete User", "change email of User",
			"change country and nick of User"}},
		{"a counter kept by transaction",
			func(d *Design) { d.counting("Post", "likes", "Like", "") },
			5 + 2 + 2*(40+40), []string{"put Like", "delete Like"}},
		{"a counter kept by ADD",
			func(d *Design) { d.counting("Post", "likes", "Like", ByAdd) },
			5 + 2 + 40 + 40, []string{"put Like", "delete Like"}},
		{"a counter kept by a consumer of the stream",
			func(d *Design) { d.counting("Post", "likes", "Like", ByStream) },
			5 + 2 + 40 + 40, []string{"put Like", "delete Like"}},
		{"a counter kept by a consumer of the stream, each record once",
			func(d *Design) { d.counting("Post", "likes", "Like", ByStreamOnce) },
			5 + 2 + 40 + 2*(40+40), []string{"put Like", "delete Like"}},
		{"deletes", func(d *Design) { d.Models[2].Deletes = 3 }, 5 + 2 + 40 + 3, nil},
		{"deletes of what is counted", func(d *Design) {
			d.counting("Post", "likes", "Like", "")
			d.Models[2].Deletes = 3
		}, 5 + 2 + 2*(43+43), []string{"put Like", "delete Like"}},
		{"copies kept by transaction", copying(ByTransaction, 0.5),
			5 + 2*0.5 + 2*0.5 + 2*(2+2) + 40,
			[]string{"change nick of User", "put Post", "delete Post"}},
		{"copies kept by a consumer of the stream", copying(ByStream, 0.5),
			5 + 0.5 + 0.5 + 2 + 40, []string{"change nick of User", "put Post", "delete Post"}},
		{"copies that nobody keeps", copying(Never, 0.5), 5 + 0.5 + 2 + 40, nil},
		{"a transaction", func(d *Design) {
			d.Transactions = []Transaction{{Name: "sign up", Rate: 3,
				Puts:    []Written{{Model: "User"}, {Model: "Post", Count: 2}},
				Updates: []Written{{Model: "Like", Of: []string{"weight"}}}}}
		}, 5 + 2 + 40 + 2*3*(1+2+1), []string{"sign up"}},
		{"a transaction that counts", func(d *Design) {
			d.counting("Post", "likes", "Like", "")
			d.Transactions = []Transaction{{Name: "like", Rate: 3,
				Puts: []Written{{Model: "Like"}}}}
		}, 5 + 2 + 2*(40+40) + 2*3*2, []string{"put Like", "delete Like", "like"}},
		{"two counters of one item, which one update changes", func(d *Design) {
			d.counting("Post", "likes", "Like", "")
			d.Models[1].Attributes = append(d.Models[1].Attributes,
				Attribute{Name: "sum", Type: Number, Sums: "Like.weight"})
		}, 5 + 2 + 2*(40+40), []string{"put Like", "delete Like"}},
		{"a transaction of one item, which is a single write", func(d *Design) {
			d.Transactions = []Transaction{{Name: "weigh", Rate: 3,
				Updates: []Written{{Model: "Like", Of: []string{"weight"}}}}}
		}, 5 + 2 + 40 + 3, []string{"weigh"}},
		{"a change of two unique attributes at once", func(d *Design) {
			d.Models[0].Unique = [][]string{{"email"}, {"nick"}}
			d.Models[0].Changes = []Change{{Of: []string{"email", "nick"}, Rate: 1}}
		}, 2*(5+5+5) + 2*5 + 2 + 40, []string{"put User", "delete User", "change email of User",
			"change nick of User"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := likesDesign()
			c.change(d)
			plan, err := Make(d)
			require.NoError(t, err)
			assert.InDelta(t, c.units, plan.Cost(ListPrices()).Table.WriteUnits, 1e-9)
			var names []string
			for i := range plan.Writes {
				names = append(names, plan.Writes[i].Name)
			}
			assert.Equal(t, c.writes, names)
			again, err := Make(d)
			require.NoError(t, err)
			assert.Equal(t, plan, again, "the design stays as it was")
		})
	}
}

// TestStrictKeys checks that writes find items of a counted model by the model's own key, though
// another key would serve a pattern.
func TestStrictKeys(t *testing.T) {
	d := likesDesign()
	plan, err := Make(d)
	require.NoError(t, err)
	assert.Equal(t, "{author}", plan.Entity("Post").key(plan.Key.Partition).String())
	assert.Empty(t, plan.Indexes)
	d.counting("Post", "likes", "Like", "")
	plan, err = Make(d)
	require.NoError(t, err)
	assert.Equal(t, "{id}", plan.Entity("Post").key(plan.Key.Partition).String())
	assert.Len(t, plan.Indexes, 1)
}

// TestTopOfCounters checks that a counter by which a pattern orders is a number in its index, also
// if another model would share the index with strings.
func TestTopOfCounters(t *testing.T) {
	d := likesDesign()
	d.counting("Post", "likes", "Like", "")
	d.Patterns = append(d.Patterns,
		Pattern{Name: "the top", Model: "Post", Equal: []string{"author"}, Order: "likes"},
		Pattern{Name: "users of a country", Model: "User", Equal: []string{"country"},
			Order: "nick"})
	plan, err := Make(d)
	require.NoError(t, err)
	key := plan.Index(plan.Queries[3].Index).Key
	assert.Equal(t, Number, columnType(plan, key.Sort))
	assert.Equal(t, "{likes}", plan.Entity("Post").key(key.Sort).String())
}

// TestOtherKeepings checks that a report says what the other way to keep a counter costs.
func TestOtherKeepings(t *testing.T) {
	d := likesDesign()
	d.counting("Post", "likes", "Like", "")
	plan, err := Make(d)
	require.NoError(t, err)
	choices := plan.Report(ListPrices()).Counters
	require.Len(t, choices, 3)
	assert.Equal(t, "likes of Post kept by add", choices[0].Name)
	assert.Equal(t, "likes of Post kept by stream", choices[1].Name)
	assert.Equal(t, "likes of Post kept by stream-once", choices[2].Name)
	assert.InDelta(t, choices[0].Dollars, choices[1].Dollars, 1e-9)
	assert.Greater(t, choices[2].Dollars, choices[1].Dollars)
	d.counting("Post", "likes", "Like", ByAdd)
	other, err := Make(d)
	require.NoError(t, err)
	assert.InDelta(t, other.Cost(ListPrices()).Total(), choices[0].Dollars, 1e-9)
}

// TestCheckInvariants checks what is refused of unique, counts and transactions.
func TestCheckInvariants(t *testing.T) {
	unique := func(names ...string) func(d *Design) {
		return func(d *Design) { d.Models[0].Unique = [][]string{names} }
	}
	transaction := func(puts, updates []Written) func(d *Design) {
		return func(d *Design) {
			d.Transactions = []Transaction{{Name: "t", Puts: puts, Updates: updates}}
		}
	}
	for _, c := range []struct {
		name   string
		change func(d *Design)
		want   string
	}{
		{"no attributes", unique(), "models[0].unique[0]: want 1 to 8 attributes"},
		{"an unknown attribute", unique("no"), "models[0].unique[0]: User has no attribute no"},
		{"the key", unique("id"), "models[0].unique[0]: name an attribute last that is not in the key"},
		{"twice", unique("email", "email"), "models[0].unique[0]: email is there twice"},
		{"too few values", unique("country"), "models[0].unique[0]: country has 50 values"},
		{"too few values together", func(d *Design) {
			d.Models[0].Attributes[3].Values = 5
			d.Models[0].Unique = [][]string{{"country", "nick"}}
		}, "models[0].unique[0]: country and nick have 250 values together, and User 1000 items"},
		{"the key and more", unique("id", "email"),
			"models[0].unique[0]: id is the key of User"},
		{"the same again", func(d *Design) {
			d.Models[0].Unique = [][]string{{"country", "nick"}, {"nick", "country"}}
		}, "models[0].unique[1]: unique[0] says so already"},
		{"what follows from another", func(d *Design) {
			d.Models[0].Unique = [][]string{{"country", "email"}, {"email"}}
		}, "models[0].unique[0]: unique[1] says so already"},
		{"a name of another write", func(d *Design) {
			d.Models[0].Unique = [][]string{{"email"}}
			d.Transactions = []Transaction{{Name: "put User", Puts: []Written{{Model: "Post"}}}}
		}, "transactions[0].name: put User is the name of a write"},
		{"an update of what is counted by", func(d *Design) {
			d.counting("User", "n", "Post", "")
			transaction(nil, []Written{{Model: "Post", Of: []string{"author"}}})(d)
		}, "transactions[0].updates[0].of: author says which User counts the item"},
		{"an update of what is summed up", func(d *Design) {
			d.Models[1].Attributes[3].Sums = "Like.weight"
			transaction(nil, []Written{{Model: "Like", Of: []string{"weight"}}})(d)
		}, "transactions[0].updates[0].of: weight is summed up"},
		{"an update of an attribute twice",
			transaction(nil, []Written{{Model: "User", Of: []string{"nick", "nick"}}}),
			"transactions[0].updates[0].of: nick is there twice"},
		{"an unknown model", func(d *Design) { d.counting("Post", "likes", "No", "") },
			"models[1].attributes[3].counts: there is no model \"No\""},
		{"a string that counts", func(d *Design) { d.counting("Post", "text", "Like", "") },
			"models[1].attributes[2].counts: text is a string; want a number"},
		{"items of no one", func(d *Design) { d.counting("Like", "weight", "Post", "") },
			"models[2].attributes[2].counts: Post has no attribute that is of Like.post"},
		{"another attribute", func(d *Design) { d.counting("Post", "likes", "Like.user", "") },
			"models[1].attributes[3].counts: Like.user is not of the only attribute in the key of Post"},
		{"a way to keep nothing", func(d *Design) { d.counting("Post", "likes", "", ByAdd) },
			"models[1].attributes[3].kept: likes counts nothing"},
		{"a sum of strings", func(d *Design) { d.Models[1].Attributes[3].Sums = "Like.at" },
			"models[1].attributes[3].sums: Like.at is a string; want a number"},
		{"a sum of what changes", func(d *Design) {
			d.Models[1].Attributes[3].Sums = "Like.weight"
			d.Models[2].Attributes[2].Mutable = true
		}, "models[1].attributes[3].sums: Like.weight changes"},
		{"a transaction of nothing", transaction(nil, nil), "transactions[0].puts: name the models"},
		{"a model twice", transaction([]Written{{Model: "User"}, {Model: "User"}}, nil),
			"transactions[0].puts[1]: User is there twice"},
		{"an update of nothing", transaction(nil, []Written{{Model: "User"}}),
			"transactions[0].updates[0]: say which attributes of User change"},
		{"an update of the key", transaction(nil, []Written{{Model: "User", Of: []string{"id"}}}),
			"transactions[0].updates[0].of: id of User never changes"},
		{"an item twice, because it counts", func(d *Design) {
			d.counting("Post", "likes", "Like", "")
			transaction([]Written{{Model: "Like"}, {Model: "Post"}}, nil)(d)
		}, "transactions[0]: t writes Post and, because likes counts Like, the same item a second time"},
		{"an item twice, because it sums", func(d *Design) {
			d.Models[1].Attributes[3].Sums = "Like.weight"
			transaction([]Written{{Model: "Like"}, {Model: "Post"}}, nil)(d)
		}, "transactions[0]: t writes Post and, because likes sums Like, the same item a second time"},
		{"too many items", transaction([]Written{{Model: "User", Count: 60},
			{Model: "Like", Count: 60}}, nil),
			"transactions[0]: t writes 120 items, and a transaction has at most 100"},
		{"too much", func(d *Design) {
			d.Models[1].Attributes[2].Bytes = 100_000
			transaction([]Written{{Model: "Post", Count: 60}}, nil)(d)
		}, "transactions[0]: t writes 5.7 MB, and a transaction has at most 4 MB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := likesDesign()
			c.change(d)
			_, err := Make(d)
			assert.ErrorContains(t, err, c.want)
		})
	}
}

// TestOverlappingGuards checks that a change replaces each guard that has the old value, and leaves
// those that stay as they are alone: a transaction cannot write an item twice.
func TestOverlappingGuards(t *testing.T) {
	d := likesDesign()
	d.Models[0].Unique = [][]string{{"country", "nick"}, {"nick", "email"}}
	plan, err := Make(d)
	require.NoError(t, err)
	change := plan.Write("change country and nick of User")
	assert.Equal(t, "TransactWriteItems: Update User, country and nick if it has not changed; "+
		"Delete UserCountryNick of the old value; Put UserCountryNick unless it exists; "+
		"Delete UserNickEmail of the old value; Put UserNickEmail unless it exists",
		change.String())
	row := func(country, nick string) map[string][]Row {
		return map[string][]Row{"User": {{"id": "1", "email": "a@b", "country": country,
			"nick": nick}}}
	}
	for _, c := range []struct {
		name  string
		after map[string][]Row
		items int
	}{{"both", row("fr", "bob"), 5}, {"the country only", row("fr", "ann"), 3}} {
		t.Run(c.name, func(t *testing.T) {
			requests, err := plan.Requests(change, Writing{Before: row("it", "ann"),
				After: c.after}, "", func(v any) any { return v })
			require.NoError(t, err)
			require.Len(t, requests, 1)
			assert.Len(t, requests[0].Input["TransactItems"], c.items)
		})
	}
}

// TestUniqueBesideCounted checks that a change of what is unique leaves the attribute by which the
// item is counted as it is.
func TestUniqueBesideCounted(t *testing.T) {
	d := likesDesign()
	d.counting("User", "n", "Post", "")
	d.Models[1].Unique = [][]string{{"author", "text"}}
	plan, err := Make(d)
	require.NoError(t, err)
	assert.Equal(t, []string{"text"},
		plan.Write("change author and text of Post").Actions[0].Sets)
}
