package policy

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions"
)

// FieldError describes an error in a field of a policy. Field is the path to the field, in the
// names of the policy file: tables[0].entities[2].sort.
type FieldError struct {
	Field   string
	Message string
}

func (e *FieldError) Error() string { return e.Field + ": " + e.Message }

// FieldMessage returns the field and the message.
func (e *FieldError) FieldMessage() (field, message string) { return e.Field, e.Message }

// Engine checks against a policy. It is immutable and safe for concurrent use.
type Engine struct {
	names         map[string]*table
	patterns      []*table
	callers       map[string]string
	header        string
	privileged    map[string]bool
	known         map[string]bool // nil: any
	status        map[string]bool // status words, in each letter case that the rules look for
	longestStatus int
	entities      int   // number of entities, for State
	hasLatest     bool  // some table declares latest items
	tenanted      bool  // the policy declares tenants
	undeclared    table // has no name; for findings on undeclared tables
}

// table is a compiled Table.
type table struct {
	name        string // as declared
	role        Role
	primary     keySet
	indexes     []*keySet
	version     string
	bookkeeping []string
	commands    string // "" if not declared
	latest      *latestRule
	severities  []Severity // by rule
	id          int        // for State
	open        bool       // no rule applies
}

// keySet holds the declarations for one primary key: the table's or an index's.
type keySet struct {
	index    string // "" for the table
	key      KeySchema
	tenant   TenantMode
	prefixes map[string]*family
	entities []*entity
	open     bool // an index that all callers of the table may read
}

// family holds the entities that share a partition key prefix. An entity whose sort key begins with
// a fixed segment is found by that segment.
type family struct {
	leads map[string][]*entity
	free  []*entity // entities whose sort key begins with a variable segment, or that have none
	all   []*entity

	tenant TenantMode // for keys without a known entity: the strictest mode of the family
}

// entity is a compiled Entity.
type entity struct {
	Entity
	id     int    // for State
	status string // its segment of the type Status, "" if it has none
	times  *times // nil if its keys have no two times that must agree

	// inSegments reports whether segments of the type Tenant name tenants. The second segment of
	// the partition key may name one too.
	inSegments bool
}

// times locates a month or day in a partition key and the time in the sort key that must be within
// it.
type times struct {
	partition, sort int // indexes of the segments in the whole keys
	span, at        *Segment
}

// latestRule is a compiled Latest.
type latestRule struct {
	Latest
	other string // the other key attribute, "" if the table has no sort key
}

// Compile checks a policy and prepares it for use. It keeps no reference to p. The error joins a
// FieldError for each mistake.
func Compile(p Policy) (*Engine, error) {
	c := &compiler{engine: &Engine{names: map[string]*table{}, header: p.Tenants.Header}}
	c.compileTenants(&p.Tenants)
	c.compileStatusWords(p.StatusWords)
	base := make([]Severity, len(rules))
	for i, r := range rules {
		base[i] = r.Default
	}
	c.compileSeverities("severities", p.Severities, base)
	c.engine.undeclared.severities = base
	if len(p.Tables) == 0 {
		c.fail("tables", "no table is declared")
	}
	for i := range p.Tables {
		c.compileTable(fmt.Sprintf("tables[%d]", i), &p.Tables[i], base)
	}
	for i := range p.Tables {
		c.compileCommands(fmt.Sprintf("tables[%d].commands", i), &p.Tables[i])
	}
	if len(c.errs) > 0 {
		return nil, errors.Join(c.errs...)
	}
	return c.engine, nil
}

type compiler struct {
	engine *Engine
	errs   []error
	tables int
}

func (c *compiler) fail(field, format string, args ...any) {
	c.errs = append(c.errs, &FieldError{field, fmt.Sprintf(format, args...)})
}

func (c *compiler) compileTenants(t *Tenants) {
	e := c.engine
	e.callers = maps.Clone(t.Callers)
	e.tenanted = len(t.Callers)+len(t.Header)+len(t.Privileged)+len(t.Known) > 0
	for i, name := range t.Known {
		c.checkTenantName(fmt.Sprintf("tenants.known[%d]", i), name)
		if e.known == nil {
			e.known = map[string]bool{conventions.TenantCommon: true}
		}
		e.known[name] = true
	}
	e.privileged = map[string]bool{}
	for i, name := range t.Privileged {
		c.checkTenantName(fmt.Sprintf("tenants.privileged[%d]", i), name)
		e.privileged[name] = true
	}
	for _, key := range slices.Sorted(maps.Keys(t.Callers)) {
		name := t.Callers[key]
		c.checkTenantName("tenants.callers."+key, name)
		if e.known != nil && !e.known[name] && !e.privileged[name] {
			c.fail("tenants.callers."+key, "%.100q is none of the known tenants", name)
		}
	}
	if strings.ContainsAny(t.Header, " :\t\r\n") {
		c.fail("tenants.header", "%.100q is no name of a header", t.Header)
	}
}

func (c *compiler) checkTenantName(field, name string) {
	switch {
	case name == "":
		c.fail(field, "a tenant's name is empty")
	case strings.Contains(name, conventions.KeySeparator):
		c.fail(field, "the tenant %.100q holds %q, which separates segments", name, conventions.KeySeparator)
	}
}

func (c *compiler) compileStatusWords(words []string) {
	if words == nil {
		words = DefaultStatusWords
	}
	c.engine.status = map[string]bool{}
	for i, w := range words {
		if w == "" {
			c.fail(fmt.Sprintf("status-words[%d]", i), "it is empty")
			continue
		}
		lower := strings.ToLower(w)
		for _, form := range []string{w, lower, strings.ToUpper(w), strings.ToUpper(lower[:1]) + lower[1:]} {
			c.engine.status[form] = true
			c.engine.longestStatus = max(c.engine.longestStatus, len(form))
		}
	}
}

// compileSeverities changes a list of severities by rule.
func (c *compiler) compileSeverities(field string, changes map[string]Severity, list []Severity) {
	for _, id := range slices.Sorted(maps.Keys(changes)) {
		r, err := RuleByID(id)
		switch s := changes[id]; {
		case err != nil:
			c.fail(field+"."+id, "%v", err)
		case s > Enforce:
			c.fail(field+"."+id, "%v is no severity: use off, warn or enforce", s)
		case s != Default:
			list[r.index] = s
		}
	}
}

func (c *compiler) compileTable(field string, in *Table, base []Severity) {
	t := &table{name: in.Name, role: in.Role, commands: in.Commands, severities: slices.Clone(base), id: c.tables}
	c.tables++
	c.checkTableName(field+".name", in.Name)
	if in.Role > Plain {
		c.fail(field+".role", "%d is no role", in.Role)
	}
	c.compileSeverities(field+".severities", in.Severities, t.severities)
	t.version = cmp.Or(in.VersionAttribute, DefaultVersionAttribute)
	key := in.Key
	if key == (KeySchema{}) {
		key = DefaultKey
	}
	mode := in.Tenant
	if mode == TenantDefault && in.Role == Plain && len(in.Entities) == 0 && !c.engine.tenanted {
		mode = TenantNone
	}
	c.checkOpen(field+".open", in)
	t.open = in.Open
	t.primary = c.compileKeySet(field, "", key, mode, in.Entities)
	if key.Sort == "" && (in.Role == Command || in.Role == History) {
		c.fail(field+".key.sort", "a %s table needs a sort key, which holds the version", in.Role)
	}
	seen := map[string]bool{}
	for i := range in.Indexes {
		x, at := &in.Indexes[i], fmt.Sprintf("%s.indexes[%d]", field, i)
		if x.Name == "" || seen[x.Name] {
			c.fail(at+".name", "an index needs a name of its own")
		}
		seen[x.Name] = true
		set := c.compileKeySet(at, x.Name, x.Key, x.Tenant, x.Entities)
		set.open = x.Open
		t.indexes = append(t.indexes, &set)
	}
	c.compileBookkeeping(field+".bookkeeping", in, t)
	c.compileLatest(field+".latest", in, t)
	if strings.ContainsAny(in.Name, `*?[\`) {
		c.engine.patterns = append(c.engine.patterns, t)
	} else {
		c.engine.names[in.Name] = t
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

func (c *compiler) compileKeySet(field, index string, key KeySchema, mode TenantMode, entities []Entity) keySet {
	set := keySet{index: index, key: key, tenant: cmp.Or(mode, TenantRequired), prefixes: map[string]*family{}}
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
			c.checkApart(at, e, set.entities)
			set.add(e)
		}
	}
	return set
}

// checkOpen reports further declarations of an open table. No rule applies to an open table, so
// they would have no effect.
func (c *compiler) checkOpen(field string, in *Table) {
	if in.Open && (in.Key != KeySchema{} || len(in.Entities)+len(in.Indexes) > 0 || in.Latest != nil || in.Tenant != TenantDefault) {
		c.fail(field, "an open table is left alone: declare nothing else of it, or do not open it")
	}
}

// add files an entity under its prefix and the beginning of its sort key.
func (s *keySet) add(e *entity) {
	s.entities = append(s.entities, e)
	f := s.prefixes[e.Prefix]
	if f == nil {
		f = &family{leads: map[string][]*entity{}, tenant: TenantNone}
		s.prefixes[e.Prefix] = f
	}
	f.all = append(f.all, e)
	f.tenant = min(f.tenant, e.Tenant)
	if len(e.Sort) == 0 || !e.Sort[0].isFixed() {
		f.free = append(f.free, e)
		return
	}
	for _, v := range e.Sort[0].Values {
		f.leads[v] = append(f.leads[v], e)
	}
}

func (c *compiler) compileLatest(field string, in *Table, t *table) {
	if in.Latest == nil {
		return
	}
	l := &latestRule{Latest: *in.Latest}
	l.Content = slices.Clone(l.Content)
	l.Pointer = cmp.Or(l.Pointer, DefaultPointer)
	l.ActualVersion = cmp.Or(l.ActualVersion, DefaultActualVersion)
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
	if strings.Contains(l.Pointer, conventions.KeySeparator) {
		c.fail(field+".pointer", "%.100q is more than one segment", l.Pointer)
	}
	if in.Role == Command || in.Role == History {
		c.fail(field, "a %s table keeps versions for good, and its latest item would change", in.Role)
	}
	if l.Entity != "" && !slices.ContainsFunc(in.Entities, func(e Entity) bool { return e.Name == l.Entity }) {
		c.fail(field+".entity", "%.100q is no entity of the table", l.Entity)
	}
	t.latest = l
	c.engine.hasLatest = true
}

// table returns the compiled declaration of a table. It returns nil if no rule applies: the policy
// does not declare the table, or the table is open.
func (e *Engine) table(name string) *table {
	if t := e.declared(name); t != nil && !t.open {
		return t
	}
	return nil
}

// declared returns the compiled declaration of a table, or nil if the policy has none.
func (e *Engine) declared(name string) *table {
	if t := e.names[name]; t != nil {
		return t
	}
	for _, t := range e.patterns {
		if ok, _ := path.Match(t.name, name); ok {
			return t
		}
	}
	return nil
}

// keys returns the declaration of an index's key, or of the table's for "". It returns nil for an
// undeclared index.
func (t *table) keys(index string) *keySet {
	if index == "" {
		return &t.primary
	}
	for _, x := range t.indexes {
		if x.index == index {
			return x
		}
	}
	return nil
}

// TenantHeader returns the name of the header that names the tenant of a request, or "" if the
// policy declares none.
func (e *Engine) TenantHeader() string { return e.header }

// AccessKeys returns the access keys that the policy assigns to tenants, sorted.
func (e *Engine) AccessKeys() []string { return slices.Sorted(maps.Keys(e.callers)) }

// Covers reports whether the policy's rules apply to a table: the policy declares it, and it is not
// open.
func (e *Engine) Covers(table string) bool { return e.table(table) != nil }
