package policy

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
)

func (c *compiler) compileTable(field string, in *Table, base []Severity) {
	t := &table{
		name: in.Name, role: in.Role, commands: in.Commands, severities: slices.Clone(base),
		id: c.tables,
	}
	c.tables++
	c.checkTableName(field+".name", in.Name)
	if in.Role > Plain {
		c.fail(field+".role", "%d is no role", in.Role)
	}
	c.compileSeverities(field+".severities", in.Severities, t.severities)
	t.version = cmp.Or(in.VersionAttribute, defaultVersionAttribute)
	key := in.Key
	if key == (KeySchema{}) {
		key = defaultKey
	}
	mode := in.Tenant
	if mode == TenantDefault && in.Role == Plain && len(in.Entities) == 0 && !c.engine.tenanted {
		mode = TenantNone
	}
	c.checkOpen(field+".open", in)
	t.open = in.Open
	t.primary = c.compileKeySet(field, "", key, mode, in.Entities)
	t.primary.writable = in.Writable
	if in.Role == Command || in.Role == History {
		t.primary.textPartition, t.primary.textSort = true, true
	}
	if in.Writable && (len(in.Entities) > 0 || mode == TenantNone) {
		c.fail(field+".writable",
			"it is for tables without entities whose keys name tenants: declare it of the entities that tenants may write")
	}
	if key.Sort == "" && (in.Role == Command || in.Role == History) {
		c.fail(field+".key.sort", "a %s table needs a sort key, which holds the version", in.Role)
	}
	c.compileIndexes(field+".indexes", in.Indexes, t)
	c.checkExpires(field, in)
	c.compileParents(func(i int) string { return fmt.Sprintf("%s.entities[%d]", field, i) }, t)
	c.compileBookkeeping(field+".bookkeeping", in, t)
	if in.Role != Plain {
		c.checkVersionAttribute(field+".version-attribute", in, key)
	}
	c.compileLatest(field+".latest", in, t)
	if strings.ContainsAny(in.Name, `*?[\`) {
		c.engine.patterns = append(c.engine.patterns, t)
	} else {
		c.engine.names[in.Name] = t
	}
}

func (c *compiler) compileIndexes(field string, in []Index, t *table) {
	seen := map[string]bool{}
	for i := range in {
		x, at := &in[i], fmt.Sprintf("%s[%d]", field, i)
		if x.Name == "" || seen[x.Name] {
			c.fail(at+".name", "an index needs a name of its own")
		}
		seen[x.Name] = true
		mode := x.Tenant
		if mode == TenantDefault && x.Open {
			mode = TenantNone
		}
		set := c.compileKeySet(at, x.Name, x.Key, mode, x.Entities)
		set.open = x.Open
		t.indexes = append(t.indexes, &set)
	}
}

func (c *compiler) checkTableName(field, name string) {
	_, err := path.Match(name, "")
	switch {
	case name == "":
		c.fail(field, "a table needs a name or a pattern")
	case err != nil:
		c.fail(field, "%.100q is no pattern: %v", name, err)
	case c.engine.names[name] != nil:
		c.fail(field, "the table %.100q is declared twice", name)
	}
}

func (c *compiler) compileKeySet(field, index string, key KeySchema, mode TenantMode,
	entities []Entity) keySet {
	set := keySet{
		index: index, key: key, tenant: cmp.Or(mode, TenantRequired),
		prefixes: map[string]*family{},
		textSort: len(entities) > 0,
	}
	set.textPartition = len(entities) > 0 || set.tenant != TenantNone
	if key.Partition == "" {
		c.fail(field+".key.partition", "the attribute of the partition key is not named")
	}
	if key.Partition == key.Sort {
		c.fail(field+".key.sort", "partition key and sort key are one attribute")
	}
	if mode > TenantNone {
		c.fail(field+".tenant", "%d is no tenant mode", mode)
	}
	names := map[string]bool{}
	for i := range entities {
		at := fmt.Sprintf("%s.entities[%d]", field, i)
		in := &entities[i]
		if in.Name == "" || names[in.Name] {
			c.fail(at+".name", "an entity needs a name of its own")
		}
		names[in.Name] = true
		if e := c.compileEntity(at, in, key); e != nil {
			e.at = i
			c.checkApart(at, e, set.prefixes[e.Prefix])
			set.add(e)
		}
	}
	return set
}

// checkExpires finds entities that expire where items stay, and in indexes, which have no items of
// their own.
func (c *compiler) checkExpires(field string, in *Table) {
	stay := in.Role == Command || in.Role == History || in.Latest != nil
	for i := range in.Entities {
		if in.Entities[i].Expires != "" && stay {
			c.fail(fmt.Sprintf("%s.entities[%d].expires", field, i),
				"commands, history, versions and latest items do not expire")
		}
	}
	for i := range in.Indexes {
		for j := range in.Indexes[i].Entities {
			if in.Indexes[i].Entities[j].Expires != "" {
				c.fail(fmt.Sprintf("%s.indexes[%d].entities[%d].expires", field, i, j),
					"declare it of the entity of the table")
			}
		}
	}
}

// checkOpen reports further declarations of an open table. No rule applies to an open table, so
// they would have no effect.
func (c *compiler) checkOpen(field string, in *Table) {
	if in.Open &&
		(in.Key != KeySchema{} || len(in.Entities)+len(in.Indexes) > 0 || in.Latest != nil ||
			in.Tenant != TenantDefault || in.Writable) {
		c.fail(field, "an open table is left alone: declare nothing else of it, or do not open it")
	}
}

// compileBookkeeping checks which attributes of a command or history table may change.
func (c *compiler) compileBookkeeping(field string, in *Table, t *table) {
	keeps := in.Role == Command || in.Role == History
	if in.Bookkeeping != nil && !keeps {
		c.fail(field,
			"items of a %s table may change: only command and history tables have bookkeeping",
			in.Role)
	}
	if t.bookkeeping = slices.Clone(in.Bookkeeping); in.Bookkeeping == nil && keeps {
		t.bookkeeping = defaultBookkeeping
	}
	for _, name := range t.bookkeeping {
		if name == t.primary.key.Partition || name == t.primary.key.Sort || name == t.version {
			c.fail(field, "%.100q is of the key or the version, which never change", name)
		}
	}
}

func (c *compiler) compileLatest(field string, in *Table, t *table) {
	if in.Latest == nil {
		return
	}
	l := &latestRule{Latest: *in.Latest}
	l.Content = slices.Clone(l.Content)
	l.Pointer = cmp.Or(l.Pointer, defaultPointer)
	l.ActualVersion = cmp.Or(l.ActualVersion, defaultActualVersion)
	key := t.primary.key
	l.Attribute = cmp.Or(l.Attribute, key.Sort, key.Partition)
	switch l.Attribute {
	case key.Sort:
		l.other = key.Partition
	case key.Partition:
		l.other = key.Sort
	default:
		c.fail(field+".attribute", "%.100q is no attribute of the key", l.Attribute)
	}
	t.primary.textPartition = t.primary.textPartition || l.Attribute == key.Partition
	t.primary.textSort = t.primary.textSort || l.Attribute == key.Sort
	if strings.Contains(l.Pointer, conventions.KeySeparator) {
		c.fail(field+".pointer", "%.100q is more than one segment", l.Pointer)
	}
	if in.Role == Command || in.Role == History {
		c.fail(field, "a %s table keeps versions for good, and its latest item would change",
			in.Role)
	}
	if l.Entity != "" &&
		!slices.ContainsFunc(in.Entities, func(e Entity) bool { return e.Name == l.Entity }) {
		c.fail(field+".entity", "%.100q is no entity of the table", l.Entity)
	}
	t.latest = l
	c.checkLatestContent(field, t)
	c.engine.hasLatest = true
}

// compileCommands checks the name of the table that holds a data table's commands. It runs after
// all tables are compiled.
func (c *compiler) compileCommands(field string, in *Table) {
	of := c.engine.table(in.Commands)
	switch {
	case in.Commands == "":
	case in.Role != Data:
		c.fail(field, "only a data table has commands, and this is a %s table", in.Role)
	case of == nil || of.role != Command:
		c.fail(field, "%.100q is no declared command table", in.Commands)
	case of.primary.key.Sort == "":
		c.fail(field, "the command table %.100q has no sort key", in.Commands)
	}
}
