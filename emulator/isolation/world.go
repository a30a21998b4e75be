package isolation

import (
	"cmp"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/conventions"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator"
)

type object = map[string]any

func text(s string) object { return object{"S": s} }

// What the policy does not declare: a table, and an index of each table by the attribute secret.
const (
	undeclaredTable = "kugiri-proof-undeclared"
	undeclaredIndex = "kugiri-proof-by-secret"
	secret          = "kugiriProofSecret"
)

// The quotas of indexes of a table.
const maxIndexes, maxLocal = 20, 5

// place is a table or an index.
type place struct {
	table, index  string
	key           policy.KeySchema
	isOpen        bool // all callers, or all tenants of an index, may read it
	sharesTheKeys bool // an index whose keys are attributes of the table's key
	streams       bool
	shown         *place // the table of an index

	field      string // the field of the policy
	undeclared string // the name of an index that the policy does not declare; "" for none
}

// target is a key in a place.
type target struct {
	place    *place
	pk, sk   string // the key of the place
	item     object // whole; of an index, the item that is there
	owner    string // a tenant, common or noTenant
	writable bool   // tenants may write it though it is common
	stored   bool
	odd      bool // not as the policy declares keys
}

// world holds what the policy guards: all of it, and without the items of B.
type world struct {
	policy  *policy.Policy
	a, b    string
	places  []*place
	targets []target
	fresh   int
	alike   int // tables that are declared as an earlier one

	pristine, without *emulator.Emulator
}

// newWorld makes the tables and items of a policy.
func newWorld(p *policy.Policy, a, b string) (*world, error) {
	w := &world{policy: p, a: a, b: b}
	seen := map[string]bool{}
	for i := range p.Tables {
		form, err := formOf(p.Tables[i])
		switch {
		case err != nil:
			return nil, err
		case seen[form]:
			w.alike++
		default:
			seen[form] = w.addTable(i)
		}
	}
	if !slices.ContainsFunc(p.Tables, func(t policy.Table) bool {
		ok, _ := path.Match(t.Name, undeclaredTable)
		return ok
	}) {
		at := &place{table: undeclaredTable, key: keyNames(policy.KeySchema{}), field: "tables",
			undeclared: undeclaredIndex}
		w.places = append(w.places, at)
		w.addKey(at, "PROOF#"+b, "x1", b, false)
	}
	return w, w.fill()
}

func keyNames(k policy.KeySchema) policy.KeySchema {
	if k == (policy.KeySchema{}) {
		return policy.KeySchema{Partition: "pk", Sort: "sk"}
	}
	return k
}

// formOf returns a text that is equal for tables of one declaration. What it says of versions, of
// latest items and of the commands' table has no part in whose an item is.
func formOf(t policy.Table) (string, error) {
	t.Name, t.Commands, t.VersionAttribute, t.Bookkeeping, t.Latest = "", "", "", nil, nil
	text, err := json.Marshal(t)
	return string(text), err
}

// nameOf returns a name that is declared by a table of the policy and by no table before it; "" if
// none was found, as all of its names are declared earlier.
func (w *world) nameOf(i int) string {
	pattern := w.policy.Tables[i].Name
	for n := range 4 {
		name := tableName(pattern, n)
		if !slices.ContainsFunc(w.places, func(p *place) bool { return p.table == name }) &&
			w.declarer(name) == i {
			return name
		}
	}
	return ""
}

// declarer returns which table of the policy declares a name: an exact one, or else the first
// pattern.
func (w *world) declarer(name string) int {
	all := w.policy.Tables
	if i := slices.IndexFunc(all, func(t policy.Table) bool { return t.Name == name }); i >= 0 {
		return i
	}
	return slices.IndexFunc(all, func(t policy.Table) bool {
		ok, _ := path.Match(t.Name, name)
		return ok
	})
}

// addTable adds the places and targets of a table of the policy. It reports whether there is a
// name that the table declares.
func (w *world) addTable(i int) bool {
	t := &w.policy.Tables[i]
	at := &place{table: w.nameOf(i), key: keyNames(t.Key), isOpen: t.Open, streams: true,
		field: fmt.Sprintf("tables[%d]", i)}
	if at.table == "" {
		return false
	}
	w.places = append(w.places, at)
	suffix := ""
	if t.Role == policy.Command || t.Role == policy.History {
		suffix = conventions.VersionSeparator + "1"
	}
	w.addEntities(at, entitiesOf(t.Entities, t.Tenant, t.Writable), suffix)
	w.addShapes(at, t.Entities, t.Tenant, suffix)
	for i := range t.Indexes {
		x := &t.Indexes[i]
		in := &place{table: at.table, index: x.Name, key: x.Key, shown: at,
			isOpen: at.isOpen || x.Open, sharesTheKeys: isOf(at.key, x.Key.Partition) ||
				isOf(at.key, x.Key.Sort), field: at.field}
		w.places = append(w.places, in)
		w.addIndexed(in, entitiesOf(x.Entities, x.Tenant, false))
		w.addShapesIn(in, x)
	}
	if len(t.Indexes) < maxIndexes { // a table whose indexes are all declared has no other one
		at.undeclared = undeclaredIndex
		for slices.ContainsFunc(t.Indexes,
			func(x policy.Index) bool { return x.Name == at.undeclared }) {
			at.undeclared += "-x"
		}
	}
	return true
}

func isOf(k policy.KeySchema, name string) bool {
	return name != "" && (name == k.Partition || name == k.Sort)
}

// entitiesOf returns the entities of a table or index, or one that stands for all of its items.
func entitiesOf(entities []policy.Entity, mode policy.TenantMode, writable bool) []policy.Entity {
	if len(entities) > 0 {
		return entities
	}
	e := policy.Entity{Prefix: "PROOF", Tenant: mode, Sort: policy.Pattern("{id}"),
		Writable: writable}
	if mode == policy.TenantNone {
		e.Partition = policy.Pattern("{name}")
	}
	return []policy.Entity{e}
}

// addEntities adds targets of both tenants, and of each a key without an item.
func (w *world) addEntities(at *place, entities []policy.Entity, suffix string) {
	for i := range entities {
		e := &entities[i]
		for n := range 2 {
			for _, tenant := range []string{w.a, w.b} {
				pk, sk, owner := keyOf(e, tenant, n)
				if at.isOpen {
					owner = noTenant
				}
				w.addKey(at, pk, sk+suffix, owner, e.Writable)
				w.targets[len(w.targets)-1].stored = n == 0
			}
		}
	}
}

// addKey adds a target of a table.
func (w *world) addKey(at *place, pk, sk, owner string, writable bool) {
	it := object{at.key.Partition: text(pk)}
	if at.key.Sort != "" {
		it[at.key.Sort] = text(sk)
	}
	w.targets = append(w.targets, target{place: at, pk: pk, sk: sk, item: it, owner: owner,
		writable: writable, stored: true})
}

// addIndexed adds targets of an index. Their items are of the owner in the table, too.
func (w *world) addIndexed(in *place, entities []policy.Entity) {
	for i := range entities {
		for _, tenant := range []string{w.a, w.b} {
			pk, sk, owner := keyOf(&entities[i], tenant, 0)
			it, ok := w.itemOf(in.shown, owner)
			if !ok || in.sharesTheKeys || in.isOpen {
				continue
			}
			it[in.key.Partition] = text(pk)
			if in.key.Sort != "" {
				it[in.key.Sort] = text(sk)
			}
			w.targets = append(w.targets,
				target{place: in, pk: pk, sk: sk, item: it, owner: owner,
					writable: entities[i].Writable, stored: true})
		}
	}
}

// itemOf returns a new item of an owner in a table, with a sort key of its own.
func (w *world) itemOf(at *place, owner string) (object, bool) {
	for i := range w.targets {
		t := &w.targets[i]
		if t.place == at && t.owner == owner && at.key.Sort != "" && !t.odd {
			it := maps.Clone(t.item)
			w.fresh++
			it[at.key.Sort] = text(fmt.Sprintf("%s%d", t.sk, w.fresh))
			return it, true
		}
	}
	return nil, false
}

// fill makes the emulators.
func (w *world) fill() error {
	past := actor{accessKey: author}
	e := emulator.New(emulator.WithSharedData(),
		emulator.WithHeldClock(emulator.NewClock(time.Now())),
		emulator.WithLogger(slog.New(slog.DiscardHandler)))
	do := func(at *place, operation string, in any) error {
		body, err := json.Marshal(in)
		if err != nil {
			return err
		}
		out, err := past.call(e, operation, body)
		if err == nil && out.status != http.StatusOK {
			err = conventions.FieldErrorf(at.field, "no such table or item can be: %s",
				out.message())
		}
		return err
	}
	put := func(ofB bool) error {
		for i := range w.targets {
			t := &w.targets[i]
			if !t.stored || ofB != (t.owner == w.b) {
				continue
			}
			it := maps.Clone(t.item)
			it[secret] = text("secret of " + cmp.Or(t.owner, "all"))
			if err := do(t.place, "PutItem",
				object{"TableName": t.place.table, "Item": it}); err != nil {
				return err
			}
		}
		return nil
	}
	for _, at := range w.places {
		if at.index == "" {
			if err := do(at, "CreateTable", w.createTable(at)); err != nil {
				return err
			}
		}
	}
	if err := put(false); err != nil {
		return err
	}
	w.without = e.Fork()
	if err := put(true); err != nil {
		return err
	}
	w.pristine = e
	return nil
}

// createTable returns the input that makes a table with its indexes.
func (w *world) createTable(at *place) object {
	defined := map[string]bool{}
	schema := func(k policy.KeySchema) []any {
		defined[k.Partition] = true
		all := []any{object{"AttributeName": k.Partition, "KeyType": "HASH"}}
		if k.Sort != "" {
			defined[k.Sort] = true
			all = append(all, object{"AttributeName": k.Sort, "KeyType": "RANGE"})
		}
		return all
	}
	in := object{"TableName": at.table, "BillingMode": "PAY_PER_REQUEST",
		"KeySchema": schema(at.key), "StreamSpecification": object{"StreamEnabled": true,
			"StreamViewType": "NEW_AND_OLD_IMAGES"}}
	index := func(name string, k policy.KeySchema) object {
		return object{"IndexName": name, "KeySchema": schema(k),
			"Projection": object{"ProjectionType": "ALL"}}
	}
	var global, local []any
	if at.undeclared != "" {
		global = append(global, index(at.undeclared, policy.KeySchema{Partition: secret}))
	}
	for _, x := range w.indexesOf(at) {
		if at.undeclared == "" && len(local) < maxLocal && x.key.Partition == at.key.Partition &&
			x.key.Sort != "" && at.key.Sort != "" {
			local = append(local, index(x.index, x.key))
			continue
		}
		global = append(global, index(x.index, x.key))
	}
	if in["GlobalSecondaryIndexes"] = global; len(local) > 0 {
		in["LocalSecondaryIndexes"] = local
	}
	attributes := []any{}
	for _, name := range slices.Sorted(maps.Keys(defined)) {
		attributes = append(attributes, object{"AttributeName": name, "AttributeType": "S"})
	}
	in["AttributeDefinitions"] = attributes
	return in
}

func (w *world) indexesOf(at *place) []*place {
	return slices.DeleteFunc(slices.Clone(w.places), func(x *place) bool { return x.shown != at })
}

// mark is a text that the items of B have and no others.
func (w *world) mark() string { return "secret of " + w.b + `"` }

// names reports whether an answer has the name of a table that is not open to all, or one of the
// secrets.
func (w *world) names(body string) bool {
	return strings.Contains(body, "secret of ") || slices.ContainsFunc(w.places,
		func(p *place) bool { return !p.isOpen && strings.Contains(body, `"`+p.table+`"`) })
}
