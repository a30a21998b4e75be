package design

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCopies checks the writes that change what is copied, and what a plan says of them.
func TestCopies(t *testing.T) {
	for _, c := range []struct {
		name          string
		kept          Keeping
		change, put   string
		patterns      []string // patterns that the plan adds
		says          string
		otherKeepings []string
	}{
		{"by transaction", ByTransaction,
			"TransactWriteItems: Update User, nick, with the same post_copies, if it has not changed; Update Post, nick",
			"TransactWriteItems: Put Post unless it exists; Update User, post_copies more, with the same nick, if it exists",
			[]string{"copies of User.nick in Post"},
			"nick is a copy of User.nick that is never older: a change writes 1 copy, 4 write units",
			[]string{"nick of Post kept: stream", "nick of Post kept: never"}},
		{"by the stream", ByStream,
			"Update User, nick if it has not changed. By the stream: Update Post, nick if it exists",
			"Put Post unless it exists. By the stream: Update Post, nick if it has not changed",
			[]string{"copies of User.nick in Post", "what a new Post copies of User"},
			"nick is a copy of User.nick that is older for a while: a change writes 1 copy, 1 write units",
			[]string{"nick of Post kept: transaction", "nick of Post kept: never"}},
		{"not at all", Never, "", "", nil,
			"nick is a copy of User.nick as it was when the item was put",
			[]string{"nick of Post kept: transaction", "nick of Post kept: stream"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := likesDesign()
			copying(c.kept, 0.5)(d)
			plan, err := Make(d)
			require.NoError(t, err)
			for name, want := range map[string]string{"change nick of User": c.change,
				"put Post": c.put} {
				if w := plan.Write(name); want == "" {
					assert.Nil(t, w)
				} else if assert.NotNil(t, w, name) {
					assert.Equal(t, want, w.String())
				}
			}
			var names []string
			for _, p := range plan.Design.Patterns[len(d.Patterns):] {
				names = append(names, p.Name)
			}
			assert.Equal(t, c.patterns, names)
			assert.Contains(t, plan.Markdown(), c.says)
			assert.Equal(t, c.kept == ByStream, plan.Streams())
			assert.Equal(t, c.kept == ByStream, plan.CreateTable()["StreamSpecification"] != nil)
			names = nil
			for _, choice := range plan.Report(ListPrices()).Copies {
				names = append(names, choice.Name)
			}
			assert.Equal(t, c.otherKeepings, names)
		})
	}
}

// TestCopiesOfOneAttribute checks that two copies that a model has of one attribute, of an author
// and of an editor, are found by a pattern each.
func TestCopiesOfOneAttribute(t *testing.T) {
	for _, kept := range []Keeping{ByTransaction, ByStream} {
		d := likesDesign()
		copying(kept, 0.5)(d)
		post := &d.Models[1]
		post.Attributes = append(post.Attributes,
			Attribute{Name: "editor", Type: String, Format: ULID, Of: "User.id"},
			Attribute{Name: "editorNick", Type: String, Of: "User.nick", Kept: kept, By: "editor"},
			Attribute{Name: "first", Type: String, Of: "User.nick", Kept: Never, By: "author"})
		post.Attribute("nick").By = "author"
		plan, err := Make(d)
		require.NoError(t, err)
		found := map[string][]string{}
		for _, c := range Copies(&plan.Design) {
			for _, p := range plan.Design.Patterns {
				if p.Name == c.Pattern {
					found[c.Attribute] = append(found[c.Attribute], p.Equal...)
				}
			}
		}
		want := map[string][]string{"nick": {"author"}, "editorNick": {"editor"}}
		assert.Equal(t, want, found, kept)
		var choices []string
		for _, choice := range plan.Report(ListPrices()).Copies {
			choices = append(choices, choice.Name)
		}
		assert.Contains(t, choices, map[Keeping]string{
			ByTransaction: "nick and editorNick of Post kept: stream",
			ByStream:      "nick and editorNick of Post kept: transaction"}[kept])
		assert.Contains(t, choices, "editorNick of Post kept: never")
		if kept == ByStream {
			refreshesEach(t, plan)
		}
	}
}

// TestCopiesOfOneUpdate checks what a plan counts where one update changes two attributes that are
// copied: the consumer of the stream updates each copy once for each of them.
func TestCopiesOfOneUpdate(t *testing.T) {
	for _, c := range []struct {
		name    string
		changes []Change
		says    bool
	}{
		{"one update of both", []Change{{Of: []string{"nick", "mail"}, Rate: 0.5}}, true},
		{"an update of each",
			[]Change{{Of: []string{"nick"}, Rate: 0.5}, {Of: []string{"mail"}, Rate: 0.5}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := likesDesign()
			copying(ByStream, 0.5)(d)
			d.Models[0].Changes = c.changes
			d.Models[0].Attributes = append(d.Models[0].Attributes,
				Attribute{Name: "mail", Type: String})
			d.Models[1].Attributes = append(d.Models[1].Attributes,
				Attribute{Name: "mail", Type: String, Of: "User.mail", Kept: ByStream})
			plan, err := Make(d)
			require.NoError(t, err)
			assert.Equal(t, []Change{{Of: []string{"nick"}, Rate: 0.5},
				{Of: []string{"mail"}, Rate: 0.5}}, plan.Design.Model("Post").Changes)
			const says = "One update of User that changes nick and mail updates each copy once " +
				"for each of them"
			assert.Equal(t, c.says, strings.Contains(plan.Markdown(), says))
		})
	}
}

// refreshesEach checks that the stream's consumer updates each copy of a new item in a request of
// its own. One request for all of them would fail if one copy had changed meanwhile.
func refreshesEach(t *testing.T, plan *Plan) {
	w := plan.Write("put Post")
	require.Equal(t, "Put Post unless it exists. By the stream: Update Post, nick if it has not "+
		"changed. By the stream: Update Post, editorNick if it has not changed", w.String())
	was := Row{"id": "1", "author": "a", "editor": "e", "nick": "Ann", "editorNick": "Eve"}
	for want, fresh := range map[int]Row{0: {}, 1: {"editorNick": "Eva"},
		2: {"nick": "Anna", "editorNick": "Eva"}} {
		now := maps.Clone(was)
		maps.Copy(now, fresh)
		requests, err := plan.Later(w, Writing{Before: map[string][]Row{"Post": {was}},
			After: map[string][]Row{"Post": {now}}}, func(v any) any { return v })
		require.NoError(t, err)
		assert.Len(t, requests, want, fresh)
	}
}

// TestCheckCopies checks what is refused of copies and feeds.
func TestCheckCopies(t *testing.T) {
	feed := func(change func(p *Pattern)) func(d *Design) {
		return func(d *Design) {
			p := Pattern{Name: "feed", Model: "Post", Through: "Like", Equal: []string{"post"}}
			change(&p)
			d.Patterns = append(d.Patterns, p)
		}
	}
	kept := func(k Keeping, change func(d *Design, a *Attribute)) func(d *Design) {
		return func(d *Design) {
			copying(k, 0.5)(d)
			change(d, d.Models[1].Attribute("nick"))
		}
	}
	nothing := func(*Design, *Attribute) {}
	twice := func(k Keeping) func(d *Design, _ *Attribute) {
		return func(d *Design, _ *Attribute) {
			d.Models[1].Attributes = append(d.Models[1].Attributes,
				Attribute{Name: "again", Type: String, Of: "User.nick", Kept: k})
		}
	}
	for _, c := range []struct {
		name   string
		change func(d *Design)
		want   string
	}{
		{"a way for counters", kept(ByAdd, nothing),
			"models[1].attributes[4].kept: want transaction, stream or never for a copy"},
		{"a way for copies", func(d *Design) { d.counting("Post", "likes", "Like", Never) },
			"models[1].attributes[3].kept: want transaction, add, stream or stream-once"},
		{"what never changes", kept(ByStream,
			func(d *Design, _ *Attribute) { d.Models[0].Changes = nil }),
			"models[1].attributes[4].kept: User.nick never changes"},
		{"what is unique", kept(ByStream,
			func(d *Design, _ *Attribute) { d.Models[0].Unique = [][]string{{"nick"}} }),
			"models[1].attributes[4].kept: User.nick is unique"},
		{"a copy that changes", kept(ByStream, func(d *Design, _ *Attribute) {
			d.Models[1].Changes = []Change{{Of: []string{"nick"}, Rate: 1}}
		}), "models[1].attributes[4].kept: nick changes with User.nick"},
		{"a copy of a copy", kept(ByStream, func(d *Design, a *Attribute) {
			d.Models[2].Attributes = append(d.Models[2].Attributes,
				Attribute{Name: "n", Type: String, Of: "Post.nick", Kept: ByStream})
			a.Mutable = true
		}), "models[2].attributes[4].kept: Post.nick is a copy of User.nick itself"},
		{"no attribute with the key", kept(ByStream,
			func(d *Design, _ *Attribute) { d.Models[1].Attributes[1].Of = "" }),
			"models[1].attributes[4].kept: Post has no attribute that is of User.id"},
		{"a copy by transaction and one by the stream", kept(ByTransaction, twice(ByStream)),
			"models[1].attributes[5].kept: nick is a copy of User.nick, too, with kept: " +
				"transaction: say one of the two for both"},
		{"a copy by the stream and one by transaction", kept(ByStream, twice(ByTransaction)),
			"models[1].attributes[5].kept: nick is a copy of User.nick, too, with kept: stream: " +
				"say one of the two for both"},
		{"a copy by transaction, twice", kept(ByTransaction, twice(ByTransaction)),
			"models[1].attributes[5].kept: nick is the same copy of User.nick, and a transaction " +
				"writes an item once: leave one of the two out"},
		{"two with the key", kept(ByStream, func(d *Design, _ *Attribute) {
			d.Models[1].Attributes = append(d.Models[1].Attributes,
				Attribute{Name: "editor", Type: String, Format: ULID, Of: "User.id"})
		}), "models[1].attributes[4].by: name the one of author and editor"},
		{"an attribute without the key", kept(ByStream,
			func(_ *Design, a *Attribute) { a.By = "text" }),
			"models[1].attributes[4].by: text is not of the only attribute in the key of User"},
		{"too many copies", kept(ByTransaction,
			func(d *Design, _ *Attribute) { d.Models[1].Items = 200_000 }),
			"models[1].attributes[4].kept: a change of User.nick writes 201 items with its copies, and a transaction has at most 100"},
		{"too many of one", kept(ByTransaction,
			func(d *Design, _ *Attribute) { d.Models[1].Attributes[1].Largest = 500 }),
			"a change of User.nick, the one that has the most of them, writes 501 items"},
		{"a transaction that changes it", kept(ByTransaction, func(d *Design, _ *Attribute) {
			d.Transactions = []Transaction{{Name: "t",
				Updates: []Written{{Model: "User", Of: []string{"nick"}}}}}
		}), "models[1].attributes[4].kept: the transaction t changes User.nick"},
		{"a name of two lines", func(d *Design) {
			d.Transactions = []Transaction{{Name: "a\nb", Puts: []Written{{Model: "Post"}}}}
		}, `transactions[0].name: want one line of text, which "a\nb" is not`},
		{"a peak below the mean", func(d *Design) { d.Models[0].Peak = 0.5 },
			"models[0].peak: want 1 to 1000"},
		{"negative deletes", func(d *Design) { d.Models[0].Deletes = -1 },
			"models[0].deletes: want 0 or more"},
		{"a feed through no model", feed(func(p *Pattern) { p.Through = "No" }),
			`patterns[3].through: there is no model "No"`},
		{"a feed of no reader", feed(func(p *Pattern) { p.Equal = []string{"author"} }),
			"patterns[3].equal: name the attribute of Like that has the reader"},
		{"a feed of a range", feed(func(p *Pattern) { p.Range = "id" }),
			"patterns[3].through: a feed has equal, order"},
		{"a feed that is descending, and nothing says by what",
			feed(func(p *Pattern) { p.Order, p.Descending = "", true }),
			"patterns[3].descending: nothing says by which attribute"},
		{"a feed that is read more often than a table is", feed(func(p *Pattern) { p.Rate = 1e300 }),
			"patterns[3].rate: want at most 1,000,000,000 a second"},
		{"fan-out of no feed", func(d *Design) { d.Patterns[0].Fanout = OnRead },
			"patterns[0].fanout: only a feed has one"},
		{"deletes of no feed", func(d *Design) { d.Patterns[0].Deletes = Kept },
			"patterns[0].deletes: only a feed has that"},
		{"deletes of a feed that is read", feed(func(p *Pattern) {
			p.Fanout, p.Deletes = OnRead, Cleaned
		}), "patterns[3].deletes: a feed that is put together when it is read has no items"},
		{"a feed of a model of tenants through one of all", func(d *Design) {
			feed(func(*Pattern) {})(d)
			d.Tenants = &Tenants{Attribute: "tenant"}
			like := d.Model("Post")
			like.Attributes = append(like.Attributes, Attribute{Name: "tenant", Type: String})
		}, "has a tenant, so a feed would show what another tenant has"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := likesDesign()
			c.change(d)
			_, err := Make(d)
			assert.ErrorContains(t, err, c.want)
		})
	}
}

// followsDesign has users who follow each other, and a feed.
func followsDesign(fanout Fanout, followers int64) *Design {
	return &Design{Table: "follows", Models: []Model{
		{Name: "User", Key: []string{"id"}, Items: 1000, Attributes: []Attribute{
			{Name: "id", Type: String, Format: ULID}}},
		{Name: "Follow", Key: []string{"follower", "followee"}, Items: 1000 * followers,
			Attributes: []Attribute{
				{Name: "follower", Type: String, Format: ULID, Of: "User.id"},
				{Name: "followee", Type: String, Format: ULID, Of: "User.id"}}},
		{Name: "Post", Key: []string{"id"}, Items: 10_000, Puts: 2, Deletes: 1,
			Attributes: []Attribute{
				{Name: "id", Type: String, Format: ULID},
				{Name: "author", Type: String, Format: ULID, Of: "User.id"},
				{Name: "text", Type: String, Bytes: 100}}},
	}, Patterns: []Pattern{
		{Name: "a post", Model: "Post", Equal: []string{"id"}, One: true, Rate: 1},
		{Name: "the feed", Model: "Post", Through: "Follow", Equal: []string{"follower"},
			Order: "id", Descending: true, Rate: 5, Returned: 20, Fanout: fanout},
	}}
}

// TestFeeds checks what a feed takes when it is read, or when something is put, and that the report
// has the cost of the other one.
func TestFeeds(t *testing.T) {
	read, err := Make(followsDesign("", 50))
	require.NoError(t, err)
	assert.Equal(t, "the feed", read.Queries[1].Pattern)
	assert.Equal(t, []string{"Post"}, read.Queries[1].Models)
	assert.InDelta(t, 250, read.Design.Patterns[1].Rate, 1e-9, "one for each whom a user follows")
	write, err := Make(followsDesign(OnWrite, 50))
	require.NoError(t, err)
	assert.Equal(t, []string{"PostFeed"}, write.Queries[1].Models)
	assert.InDelta(t, 100, write.Design.Model("PostFeed").Puts, 1e-9)
	assert.Equal(t, "Put Post unless it exists. By the stream: Put 50 PostFeed",
		write.Write("put Post").String())
	design := followsDesign(OnWrite, 50)
	design.Patterns[1].Deletes = Cleaned
	cleaned, err := Make(design)
	require.NoError(t, err)
	for _, c := range []struct {
		plan, other *Plan
		name        string
	}{{read, write, "the feed with fan-out on write"},
		{write, read, "the feed with fan-out on read"},
		{write, cleaned, "the feed with deletes cleaned"},
		{cleaned, write, "the feed with deletes kept"}} {
		choices := c.plan.Report(ListPrices()).Feeds
		i := slices.IndexFunc(choices, func(o Choice) bool { return o.Name == c.name })
		require.GreaterOrEqual(t, i, 0, c.name)
		assert.InDelta(t, c.other.Cost(ListPrices()).Total(), choices[i].Dollars, 1e-9)
	}
	assert.InDelta(t, 50, cleaned.Design.Model("PostFeed").Deletes, 1e-9)
	assert.Equal(t, "Delete Post. By the stream: Delete 50 PostFeed",
		cleaned.Write("delete Post").String())
	assert.Contains(t, write.Markdown(), "Items of a feed stay when an item of Post is deleted")
	assert.Contains(t, cleaned.Markdown(), "25 in a BatchWriteItem")
	assert.Contains(t, write.Markdown(), "the feed: is put together when an item of Post is put")
	assert.Contains(t, read.Markdown(), "the feed: is put together when it is read")
}

// TestOneOrSeveral checks that a report says why one table or several, in money.
func TestOneOrSeveral(t *testing.T) {
	archive := Model{Name: "Archive", Key: []string{"id"}, Items: 500_000_000, Puts: 0.1,
		Attributes: []Attribute{{Name: "id", Type: String, Format: UUID},
			{Name: "text", Type: String, Bytes: 900}}}
	for _, c := range []struct {
		name   string
		change func(d *Design)
		says   string
		tables string
	}{
		{"models that are used alike", func(*Design) {}, "One table, ", ""},
		{"a model that is only kept", func(d *Design) {
			d.Models = append(d.Models, archive)
			d.Models[2].Puts = 4000
		}, "Several tables: they save", "Archive: Standard-IA, "},
		{"a model that is used at times", func(d *Design) {
			d.Models[0].Peak = 1
			d.Models[1].Puts, d.Models[2].Puts, d.Models[2].Peak = 2000, 400, 50
		}, "Several tables: they save", "Like: Standard, on demand"},
		{"a model that is to be recovered", func(d *Design) {
			archive := archive
			archive.Recovery = true
			d.Models = append(d.Models, archive)
			d.Models[1].Items = 2_000_000_000
		}, "Several tables: they save", ", with recovery"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := likesDesign()
			c.change(d)
			plan, err := Make(d)
			require.NoError(t, err)
			r := plan.Report(ListPrices())
			assert.Contains(t, r.OneOrSeveral, c.says)
			last := r.Tables[len(r.Tables)-1]
			assert.Contains(t, last.Because, c.tables)
			assert.Equal(t, "one table: Standard, on demand", r.Tables[0].Name)
			assert.Contains(t, r.Markdown(), "## One table or several")
		})
	}
}
