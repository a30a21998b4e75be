package policy

import (
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/kugiri-db/kugiri/conventions/policy/request"
)

// Policy declares the content of tables and the rules for them. It is a plain value. Compile checks
// it.
type Policy struct {
	Tenants    Tenants
	Tables     []Table             // an exact name goes before patterns, and the first pattern wins
	Severities map[string]Severity // severities by rule id; other rules have their default severity

	// StatusWords are words for the status of something, in any case (pending, PENDING, Pending). A
	// primary key may have one in a segment of any text, until a write changes an attribute with
	// the same value. Elsewhere the word explains what is wrong with a key. Keys of indexes may
	// always have one. nil means the usual words, such as pending, active, draft and closed.
	StatusWords []string
}

// defaultStatusWords are the status words of a policy without its own.
var defaultStatusWords = []string{
	"pending", "processing", "processed", "active", "inactive", "enabled", "disabled", "draft",
	"published", "approved",
	"rejected", "cancelled", "canceled", "completed", "failed", "shipped", "delivered", "paid",
	"unpaid", "archived",
	"deleted", "open", "closed",
}

// Tenants says how to find the tenant of a caller. Without Callers and Header the policy cannot
// find requests of one tenant for another's data.
//
// A policy with any of these fields is a policy with tenants. It refuses tables, indexes, key
// attributes and types of keys that it does not describe, except those with Table.Open and
// Index.Open.
type Tenants struct {
	Callers map[string]string // tenants by access key id

	// Header is the request header with the tenant. It is trusted from callers that Callers does
	// not list or that are privileged.
	Header string

	// Privileged lists tenants, such as administrators, whose callers may access all data and
	// operate on tables.
	Privileged []string

	// Known lists all tenants. If empty, any name can be one. conventions.TenantCommon is always
	// allowed.
	Known []string

	// Isolation is IsolationNone in a policy that is not to keep tenants apart, and IsolationSingle
	// in one with a single tenant.
	Isolation Isolation
}

// names returns the names of tenants that a policy lists, each with its field.
func (t *Tenants) names() iter.Seq2[string, string] {
	return func(yield func(field, name string) bool) {
		for i, name := range t.Known {
			if !yield(fmt.Sprintf("tenants.known[%d]", i), name) {
				return
			}
		}
		for i, name := range t.Privileged {
			if !yield(fmt.Sprintf("tenants.privileged[%d]", i), name) {
				return
			}
		}
		for _, key := range slices.Sorted(maps.Keys(t.Callers)) {
			if !yield("tenants.callers."+key, t.Callers[key]) {
				return
			}
		}
	}
}

// Role is the purpose of a table (guide, "Version management").
type Role uint8

// The roles. A data table has the latest version of each item under a sort key without a version,
// and the version in an attribute. Command and history tables have all versions, under sort keys
// that end in the version. Their items do not change, except their bookkeeping. A plain table has
// no versions.
const (
	Data Role = iota
	Command
	History
	Plain
)

var roleNames = [...]string{"data", "command", "history", "plain"}

func (r Role) String() string { return nameOf(roleNames[:], int(r)) }

// TenantMode says what the second segment of a partition key is.
type TenantMode uint8

// The tenant modes.
const (
	// TenantDefault, the zero value, means TenantRequired. For an open index it means TenantNone,
	// and for a plain table without entities too if the policy declares no tenants.
	TenantDefault TenantMode = iota

	TenantRequired // the tenant, or common
	TenantCommon   // always common, for data that tenants share
	TenantNone     // no tenant: the second segment is the first of Partition
)

var tenantModeNames = [...]string{"default", "required", "common", "none"}

// isRequired reports whether the segment is a tenant, explicitly or by default.
func (m TenantMode) isRequired() bool { return m == TenantDefault || m == TenantRequired }

func (m TenantMode) String() string { return nameOf(tenantModeNames[:], int(m)) }

// nameOf returns the name of a value of an enumeration, or "unknown" for other values.
func nameOf(names []string, i int) string {
	if i < 0 || i >= len(names) {
		return "unknown"
	}
	return names[i]
}

// Table declares a table, or all tables whose names match a pattern.
type Table struct {
	Name string // also a pattern in the form of path.Match: prod-*-data
	Role Role
	Key  KeySchema // zero: pk and sk

	// Tenant applies to a table or index without Entities. Entities have their own.
	Tenant TenantMode

	// Writable is Entity.Writable for a table without Entities.
	Writable bool

	// Open turns off all rules for the table: any caller may read and write it. Only the name of
	// such a table is declared.
	Open bool

	Entities         []Entity // none: only the rules on tenants and versions apply to keys
	Indexes          []Index
	VersionAttribute string // "" means version

	// Bookkeeping lists the top-level attributes of items in a command or history table that may
	// change. They keep track of a version and are not part of it. nil means status, ttl and
	// updatedAt, and an empty list means none.
	Bookkeeping []string

	Latest *Latest

	// Commands names the command table of a data table. Each item that a command made then follows
	// a command: a version after the first needs the command of that version. "" if the table is
	// not declared.
	Commands string

	Severities map[string]Severity // severities by rule id; they go before those of the policy
}

// KeySchema names the attributes of a primary key. Without Sort there is no sort key.
type KeySchema = request.KeySchema

// defaultKey is the key of the guide's tables.
var defaultKey = KeySchema{Partition: "pk", Sort: "sk"}

// defaultVersionAttribute is the attribute with the version of an item by default.
const defaultVersionAttribute = "version"

// Index declares a secondary index. An item without the index keys is not in the index, which is
// not a finding.
type Index struct {
	Name     string
	Key      KeySchema
	Tenant   TenantMode
	Entities []Entity

	// Open lets every caller that may use the table read the whole index. Otherwise a tenant can
	// read an index of a table with tenants only by keys that name the tenant.
	Open bool
}

// Entity declares a kind of item by its keys: Prefix#tenant[#Partition] and Sort.
type Entity struct {
	Name      string
	Prefix    string // first segment of the partition key; if "", Tenant is TenantNone
	Tenant    TenantMode
	Partition []Segment // segments after prefix and tenant
	Sort      []Segment // the segments of the sort key, without the version

	// Mutable lists top-level attributes, strings or numbers, whose values change, so that no key
	// may hold them.
	Mutable []string

	// Parent names another entity of the table, whose item must be there before one of this entity
	// is written (RuleParentMissing, which is off by default). The parent's key is made of segments
	// and attributes with the names of its segments. "" for entities without a parent.
	Parent string

	// Expires names the attribute with the second, since 1970, after which an item expires. Each
	// item must have it. "" for entities whose items stay.
	Expires string

	// Writable lets tenants write items of conventions.TenantCommon. Otherwise they only read them,
	// and privileged callers write them. An item whose key names a tenant too is that tenant's, as
	// an association of a user with a tenant is. For an entity of an index, Writable lets tenants
	// place their own items among the shared ones.
	Writable bool

	// MaxPartitions limits the number of partition keys: those of each tenant by themselves or,
	// without Partition, those of all tenants. 0 means no limit, and 1,000,000 is the largest. See
	// State.
	MaxPartitions int
}

// maxPartitionBound is the largest value of MaxPartitions.
const maxPartitionBound = 1_000_000

// Latest declares that a table has, besides the versions of a document, an item with a copy of the
// newest version ("Managing latest in DynamoDB"). The last segment of a key attribute distinguishes
// the versions of a document. In the latest item this segment is Pointer. The other parts of the
// key name the document.
type Latest struct {
	Attribute     string // key attribute; "" means the sort key, or else the partition key
	Pointer       string // "" means latest
	ActualVersion string // attribute of the latest item with its version; "" means actualVersion

	// Content lists the attributes that the latest item and its version have in common. If empty,
	// these are all attributes except ActualVersion and those of the key.
	Content []string

	Entity string // the entity with latest items; "" means the whole table
}

// The defaults of Latest.
const (
	defaultPointer       = "latest"
	defaultActualVersion = "actualVersion"
)
