package source

import (
	"slices"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/internal/fields"
)

// reader reads a source into a draft. Each format has a reader of its own, which has this one.
type reader struct {
	*fields.Decoder
	draft *draft
	table string // the one to take, or ""
}

// room reports whether the design has room for another model. If it has none, that is an error at
// f.
func (r *reader) room(f fields.Field) bool {
	if len(r.draft.Design.Models) < design.MaxModels {
		return true
	}
	r.Fail(f, "a design has at most %d models", design.MaxModels)
	return false
}

// maxNames is how many attributes a model of a source has at most.
const maxNames = 1000

// fits reports whether a model that has so many attributes before can have one with a name. If it
// cannot, that is an error at f.
func (r *reader) fits(f fields.Field, name string, before int) bool {
	switch {
	case name == "" || len(name) > 255:
		r.Fail(f, "the name of an attribute has 1 to 255 characters")
	case before >= maxNames:
		r.Fail(f, "a model has more than %d attributes", maxNames)
	default:
		return true
	}
	return false
}

// members reads the members of an object that a design needs. It warns of others that are not in
// unread.
func (r *reader) members(f fields.Field, members map[string]fields.Member, unread ...string) {
	r.Each(f, func(name string, f fields.Field) {
		switch read := members[name]; {
		case read != nil:
			read(f)
		case !slices.Contains(unread, name):
			r.draft.warn("%s: the reader does not know this field", f.Path())
		}
	})
}

// each returns a member that reads each element of a list.
func each(read func(fields.Field)) fields.Member {
	return func(f fields.Field) {
		for _, f := range f.Elements() {
			read(f)
		}
	}
}

// optional returns a member that reads a text, or nothing from null.
func (r *reader) optional(into *string) fields.Member {
	return func(f fields.Field) {
		if f.Tag != "!!null" {
			r.ReadText(f, into)
		}
	}
}

// has reports whether an object has members.
func has(f fields.Field, names ...string) bool {
	for _, name := range names {
		if _, ok := f.Member(name); !ok {
			return false
		}
	}
	return true
}

// textOf returns the text of a field, or "" if there is no such field.
func textOf(f fields.Field) string {
	if f.Node == nil {
		return ""
	}
	return f.Value
}

// toJSON tells a person how a schema becomes JSON.
const toJSON = `print what the file schema.ts or schema.js exports as JSON: npx tsx -e 'import * as m from "./schema.ts"; ` +
	`console.log(JSON.stringify(m, (k, v) => typeof v === "function" ? v.name : v?.schema?.indexes ? v.schema : v?.entities ?? v))' > models.json`
