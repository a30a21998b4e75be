package design

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(d *Design)
		want   string
	}{
		{"a table's name", func(d *Design) { d.Table = "a b" }, "table: want 3 to 255"},
		{"a separator", func(d *Design) { d.Separator = "-" }, "separator: want one of"},
		{"no models", func(d *Design) { d.Models = nil }, "models: want 1 to 100"},
		{"no patterns", func(d *Design) { d.Patterns = nil }, "patterns: want 1 to 200"},
		{"a model's name", func(d *Design) { d.Models[0].Name = "post" },
			"models[0].name: want letters"},
		{"a model twice", func(d *Design) { d.Models[2].Name = "Comment" },
			"models[2].name: there are two models Comment"},
		{"no key", func(d *Design) { d.Models[1].Key = nil }, "models[1].key: name the attributes"},
		{"a key that changes", func(d *Design) { d.Models[1].Attributes[0].Mutable = true },
			"models[1].key: id changes"},
		{"an unknown key", func(d *Design) { d.Models[1].Key = []string{"no"} },
			"models[1].key: Comment has no attribute no"},
		{"a type", func(d *Design) { d.Models[1].Attributes[0].Type = "text" },
			"models[1].attributes[0].type: want string"},
		{"descending, and nothing says by what", func(d *Design) { d.Patterns[0].Order = "" },
			"patterns[0].descending: nothing says by which attribute: say it, as in order: at, or " +
				"leave descending out"},
		{"descending, and one item", func(d *Design) { d.Patterns[1].Descending = true },
			"patterns[1].descending: with one, there is no order to reverse: leave descending out"},
		{"a negative number of items", func(d *Design) { d.Models[1].Items = -1 },
			"models[1].items: want 0 or more"},
		{"more items than there can be", func(d *Design) { d.Models[1].Items = 1e15 + 1 },
			"models[1].items: want at most 1,000,000,000,000,000"},
		{"more values than there can be",
			func(d *Design) { d.Models[1].Attributes[0].Values = 1e15 + 1 },
			"models[1].attributes[0].values: want at most 1,000,000,000,000,000"},
		{"a largest of more items than there can be",
			func(d *Design) { d.Models[1].Attributes[0].Largest = 1e15 + 1 },
			"models[1].attributes[0].largest: want at most 1,000,000,000,000,000"},
		{"more puts than a table takes", func(d *Design) { d.Models[1].Puts = 2e9 },
			"models[1].puts: want at most 1,000,000,000 a second, which is more than a table takes"},
		{"more updates than a table takes", func(d *Design) { d.Models[1].Updates = 1e300 },
			"models[1].updates: want at most 1,000,000,000 a second"},
		{"more deletes than a table takes", func(d *Design) { d.Models[1].Deletes = 1e300 },
			"models[1].deletes: want at most 1,000,000,000 a second"},
		{"more updates of an attribute than a table takes",
			func(d *Design) {
				d.Models[0].Changes = []Change{{Of: []string{"title"}, Rate: 1e300}}
			},
			"models[0].updates[0].rate: want at most 1,000,000,000 a second"},
		{"more requests than a table takes", func(d *Design) { d.Patterns[0].Rate = 1e300 },
			"patterns[0].rate: want at most 1,000,000,000 a second"},
		{"a rate that is no number", func(d *Design) { d.Patterns[0].Rate = math.NaN() },
			"patterns[0].rate: want at most 1,000,000,000 a second"},
		{"a result of more than there can be", func(d *Design) { d.Patterns[0].Returned = 1e300 },
			"patterns[0].returned: want at most 1,000,000,000,000,000"},
		{"more transactions than a table takes", func(d *Design) {
			d.Transactions = []Transaction{{Name: "t", Rate: 1e300,
				Puts: []Written{{Model: "Post"}}}}
		}, "transactions[0].rate: want at most 1,000,000,000 a second"},
		{"a simplicity of more than all tables cost", func(d *Design) { d.Simplicity = 1e300 },
			"simplicity: want at most 1,000,000,000 USD a month"},
		{"a value of more than an item has",
			func(d *Design) { d.Models[1].Attributes[0].Bytes = 1 << 21 },
			"models[1].attributes[0].bytes: want at most 1,048,576: an item has at most 400 KB"},
		{"a negative size", func(d *Design) { d.Models[1].Attributes[0].Bytes = -1 },
			"models[1].attributes[0].bytes: want 0 or more"},
		{"a binary beside another part of a key", func(d *Design) {
			d.Models[0].Attributes[2].Type, d.Patterns[4].Equal = Binary, []string{"author",
				"genre"}
		},
			"a binary cannot be part of a string: want a string"},
		{"a binary beside strings of another model",
			func(d *Design) {
				d.Models[1].Attributes[3].Type, d.Patterns[2].Order = Binary, "content"
			},
			"models[1].attributes[3].type: GSI1SK_GSI2SK_GSI3SK would hold content beside strings"},
		{"a reference to an unknown model",
			func(d *Design) { d.Models[1].Attributes[1].Of = "No.id" },
			"models[1].attributes[1].of: no attribute is called No.id; want MODEL.ATTRIBUTE, with one of the models Post, Comment, Like"},
		{"a reference to an unknown attribute",
			func(d *Design) { d.Models[1].Attributes[1].Of = "Like.no" },
			"models[1].attributes[1].of: no attribute is called Like.no; Like has id, post_id, author, created_at"},
		{"more models than an error lists",
			func(d *Design) { addModels(d, 20); d.Patterns[0].Model = "No" },
			"Like, M0, M1, M2, M3, M4, M5, M6, M7, M8, M9, M10, M11, M12, M13, M14, M15, M16 and others"},
		{"a reference", func(d *Design) { d.Models[1].Attributes[1].Of = "Post.no" },
			"models[1].attributes[1].of: no attribute is called Post.no"},
		{"a pattern's model", func(d *Design) { d.Patterns[0].Model = "Poster" },
			`patterns[0].model: there is no model "Poster"`},
		{"a pattern's name", func(d *Design) { d.Patterns[1].Name = "posts" },
			"patterns[1].name: patterns[0] has the same name"},
		{"an unknown attribute", func(d *Design) { d.Patterns[2].Equal = []string{"no"} },
			"patterns[2].equal[0]: Comment has no attribute no"},
		{"an order of what is equal", func(d *Design) { d.Patterns[2].Order = "post_id" },
			"patterns[2].order: post_id has one value"},
		{"a range and another order", func(d *Design) { d.Patterns[0].Range = "updated_at" },
			"patterns[0].order: a key orders by the attribute of its range"},
		{"begins of an unknown attribute", func(d *Design) { d.Patterns[4].Begins = "no" },
			"patterns[4].begins: Post has no attribute no"},
		{"begins of what is equal",
			func(d *Design) { d.Patterns[4].Begins, d.Patterns[4].Order = "author", "" },
			"patterns[4].begins: author has one value: it is in equal"},
		{"begins of a number", func(d *Design) {
			d.Models[0].Attributes[1].Type, d.Patterns[4].Begins, d.Patterns[4].Order =
				Number, "title", ""
		}, "patterns[4].begins: title is a number; only strings begin with a text"},
		{"begins of a constant", func(d *Design) {
			d.Models[0].Attributes[1].Constant, d.Patterns[4].Begins, d.Patterns[4].Order =
				"x", "title", ""
		}, "patterns[4].begins: title has one value: it is constant"},
		{"begins and a range",
			func(d *Design) {
				d.Patterns[4].Begins, d.Patterns[4].Range = "created_at", "created_at"
			}, "patterns[4].begins: there is a range, too"},
		{"begins and another order", func(d *Design) { d.Patterns[4].Begins = "title" },
			"patterns[4].order: a key orders by the attribute of its begins, title"},
		{"begins and similar",
			func(d *Design) { d.Patterns[4].Begins, d.Patterns[4].Similar = "title", "title" },
			"patterns[4].begins: a search of vectors has none"},
		{"values of another format", func(d *Design) {
			d.Models[0].Attributes[1].Format = UUID
			d.Models[1].Attributes[3].Format, d.Models[1].Attributes[3].Of = ULID, "Post.title"
		}, "models[1].attributes[3].of: Post.title is a uuid"},
		{"values of its own", func(d *Design) {
			d.Models[0].Attributes[1].Of = "Comment.content"
			d.Models[1].Attributes[3].Of = "Post.title"
		}, "models[1].attributes[3].of: Post.title has the values of this attribute"},
		{"a key with an attribute twice",
			func(d *Design) { d.Models[0].Key = []string{"id", "id"} },
			"models[0].key: id is there twice"},
		{"a flat skew", func(d *Design) { d.Models[0].Attributes[1].Zipf = 1 },
			"models[0].attributes[1].skew: want an exponent above 1, up to 10, such as zipf 1.1"},
		{"two skews", func(d *Design) {
			d.Models[0].Attributes[1].Zipf, d.Models[0].Attributes[1].Largest = 2, 2
		}, "models[0].attributes[1].largest: there is a skew, too"},
		{"a skew of one value", func(d *Design) {
			d.Models[0].Attributes[1].Zipf, d.Models[0].Attributes[1].Constant = 2, "x"
		}, "models[0].attributes[1]: title has one value: it is constant"},
		{"more than all items", func(d *Design) {
			d.Models[0].Items, d.Models[0].Attributes[1].Largest = 10, 11
		}, "models[0].attributes[1].largest: Post has 10 items"},
		{"updates of an unknown attribute",
			func(d *Design) { d.Models[0].Changes = []Change{{[]string{"no"}, 1}} },
			"models[0].updates[0].of: Post has no attribute no"},
		{"updates of nothing", func(d *Design) { d.Models[0].Changes = []Change{{nil, 1}} },
			"models[0].updates[0].of: name the attributes that change"},
		{"updates of a key",
			func(d *Design) { d.Models[0].Changes = []Change{{[]string{"title", "id"}, 1}} },
			"models[0].updates[0].of: id is in the key of Post, and the key of an item never"},
		{"updates of a constant", func(d *Design) {
			d.Models[0].Attributes[1].Constant = "x"
			d.Models[0].Changes = []Change{{[]string{"title"}, 1}}
		}, "models[0].updates[0].of: title has one value: it is constant"},
		{"updates at no rate",
			func(d *Design) { d.Models[0].Changes = []Change{{[]string{"title"}, -1}} },
			"models[0].updates[0].rate: want 0 or more"},
		{"updates of a tenant", func(d *Design) {
			d.Tenants = &Tenants{Attribute: "title"}
			d.Models[0].Changes = []Change{{[]string{"title"}, 1}}
		}, "models[0].updates[0].of: title is the tenant, which never changes"},
		{"a vector without dimensions", func(d *Design) { d.Models[1].Attributes[3].Type = Vector },
			"models[1].attributes[3].dimensions: want 1 to 4096"},
		{"dimensions of a string", func(d *Design) { d.Models[1].Attributes[3].Dimensions = 2 },
			"models[1].attributes[3].dimensions: only vectors"},
		{"a time to live that is not there", func(d *Design) { d.Models[0].TTL = "no" },
			"models[0].ttl: Post has no attribute no"},
		{"a time to live that is a string", func(d *Design) { d.Models[0].TTL = "title" },
			"models[0].ttl: title is a string; want a number"},
		{"versions without one in the key", func(d *Design) { d.Models[0].Versions = true },
			"models[0].versions: the last attribute of the key"},
		{"tenants without an attribute", func(d *Design) { d.Tenants = &Tenants{} },
			"tenants.attribute: name the attribute"},
		{"an order by tenants",
			func(d *Design) {
				d.Tenants = &Tenants{Attribute: "title"}
				d.Patterns[0].Order = "title"
			},
			"patterns[0].order: title has one value: a request reads the items of one tenant"},
		{"a common tenant with a separator",
			func(d *Design) { d.Tenants = &Tenants{Attribute: "t", Common: "a_b"} },
			"tenants.common: a tenant has no _"},
		{"a name", func(d *Design) { d.Names = map[string]string{"GSI1": "a b"} },
			"names.GSI1: want 1 to 255"},
		{"a model and models",
			func(d *Design) { d.Patterns[2].Models = []string{"Post", "Comment"} },
			"patterns[2].model: there are models, too"},
		{"an unknown one of models",
			func(d *Design) {
				d.Patterns[2].Model, d.Patterns[2].Models = "", []string{"Post", "No"}
			}, `patterns[2].models[1]: there is no model "No"`},
		{"one of models twice",
			func(d *Design) {
				d.Patterns[2].Model, d.Patterns[2].Models = "", []string{"Post", "Post"}
			}, "patterns[2].models[1]: Post is there twice"},
		{"models of one",
			func(d *Design) { d.Patterns[2].Model, d.Patterns[2].Models = "", []string{"Post"} },
			"patterns[2].models: want 2 to 10 models"},
		{"where of an unknown attribute",
			func(d *Design) { d.Patterns[0].Where = map[string]string{"no": "x"} },
			"patterns[0].where.no: Post has no attribute no"},
		{"where without a value",
			func(d *Design) { d.Patterns[0].Where = map[string]string{"title": ""} },
			"patterns[0].where.title: give the value"},
		{"where of what is equal",
			func(d *Design) { d.Patterns[4].Where = map[string]string{"author": "x"} },
			"patterns[4].where.author: author has one value"},
		{"a period without a range", func(d *Design) { d.Patterns[0].Period = Month },
			"patterns[0].period: periods are those of a range"},
		{"an unknown period",
			func(d *Design) { d.Patterns[0].Range, d.Patterns[0].Period = "created_at", "week" },
			"patterns[0].period: want year, month, day or hour"},
		{"similar to a string", func(d *Design) { d.Patterns[0].Similar = "title" },
			"patterns[0].similar: Post has no vector title"},
		{"similar in an order", func(d *Design) { d.Patterns[0].Similar = "title" },
			"patterns[0].order: a search of vectors has none"},
		{"an unknown attribute to read",
			func(d *Design) { d.Patterns[0].Attributes = []string{"no"} },
			"patterns[0].attributes[0]: Post has no attribute no"},
		{"a vector to read", func(d *Design) {
			d.Models[0].Attributes[1] = Attribute{Name: "title", Type: Vector, Dimensions: 2}
			d.Patterns[1].Equal, d.Patterns[1].Similar, d.Patterns[1].Attributes =
				nil, "title", []string{"id", "title"}
		}, "patterns[1].attributes[1]: a search returns no vectors"},
		{"too many shards", func(d *Design) { d.Patterns[0].Shards = 101 },
			"patterns[0].shards: want 0 to 100"},
		{"too many indexes", func(d *Design) { d.Indexes = 2 },
			"indexes: the patterns of Post need 3 indexes"},
		{"two consistent patterns",
			func(d *Design) { d.Patterns[0].Consistent, d.Patterns[4].Consistent = true, true },
			"patterns[0].consistent: only the table and its local indexes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := guideDesign()
			c.change(d)
			_, err := Make(d)
			assert.ErrorContains(t, err, c.want)
		})
	}
}

// TestCheckCounts: a design with too many of something is looked at no further.
func TestCheckCounts(t *testing.T) {
	names := make([]string, maxAttributes+1)
	texts := map[string]string{}
	for i := range names {
		names[i] = fmt.Sprint("a", i)
		texts[names[i]] = "x"
	}
	for _, c := range []struct {
		name   string
		change func(d *Design)
		want   string
	}{
		{"models", func(d *Design) { d.Models = make([]Model, MaxModels+1) },
			"models: there are 101: want at most 100"},
		{"patterns", func(d *Design) { d.Patterns = make([]Pattern, MaxPatterns+1) },
			"patterns: there are 201: want at most 200"},
		{"names", func(d *Design) { d.Names = texts }, "names: there are 1001: want at most 200"},
		{"attributes", func(d *Design) { d.Models[0].Attributes = make([]Attribute, len(names)) },
			"models[0].attributes: there are 1001: want at most 1000"},
		{"parts of a key", func(d *Design) { d.Models[0].Key = names },
			"models[0].key: there are 1001: want at most 1000"},
		{"updates", func(d *Design) { d.Models[0].Changes = make([]Change, len(names)) },
			"models[0].updates: there are 1001: want at most 1000"},
		{"models of a pattern", func(d *Design) { d.Patterns[0].Models = names[:MaxTogether+1] },
			"patterns[0].models: there are 11: want at most 10"},
		{"equal", func(d *Design) { d.Patterns[0].Equal = names[:MaxEqual+1] },
			"patterns[0].equal: there are 9: want at most 8"},
		{"where", func(d *Design) { d.Patterns[0].Where = texts },
			"patterns[0].where: there are 1001: want at most 1000"},
		{"attributes to read", func(d *Design) { d.Patterns[0].Attributes = names },
			"patterns[0].attributes: there are 1001: want at most 1000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := guideDesign()
			c.change(d)
			assert.EqualError(t, d.Check(), c.want)
		})
	}
}
