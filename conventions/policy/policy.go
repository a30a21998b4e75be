package policy

// Policy says what is stored in which tables and which rules hold there. It is a plain value: Compile checks it.
type Policy struct {
	Tenants    Tenants
	Tables     []Table             // an exact name goes before patterns, and those go in this order
	Severities map[string]Severity // by rule id; others have their rule's own

	// StatusWords are words that say in what state something is, in any case (pending, PENDING, Pending). A primary key
	// may have one where any text may stand, until a write changes the attribute that has it too; elsewhere it explains
	// what is wrong with a key. Keys of indexes may always. nil is DefaultStatusWords.
	StatusWords []string
}

// DefaultStatusWords are the words of state that keys are searched for unless a policy has its own.
var DefaultStatusWords = []string{
	"pending", "processing", "processed", "active", "inactive", "enabled", "disabled", "draft", "published", "approved",
	"rejected", "cancelled", "canceled", "completed", "failed", "shipped", "delivered", "paid", "unpaid", "archived",
	"deleted", "open", "closed",
}

// Tenants says how a caller's tenant is known. If neither Callers nor Header is given, requests of one tenant for
// another's data cannot be told and are not looked for.
//
// A policy with any of these is a policy with tenants. It refuses what it does not describe: tables, indexes, key
// attributes and types of keys. Table.Open and Index.Open are the exceptions.
type Tenants struct {
	Callers    map[string]string // tenants by access key id
	Header     string            // of requests, with the tenant; believed of callers that Callers does not name or that are privileged
	Privileged []string          // tenants, such as that of the administrators, whose callers reach everything, also operations on tables
	Known      []string          // all tenants; empty if any name can be one. conventions.TenantCommon always can
}

// Role is what a table is for (guide, "Version management").
type Role uint8

// The roles. A data table holds the latest version of each item under a sort key without a version, and counts it in an
// attribute. Command and history tables hold all versions, each for good but for its bookkeeping, under sort keys that end
// in the version. A plain table knows no versions.
const (
	Data Role = iota
	Command
	History
	Plain
)

var roleNames = [...]string{"data", "command", "history", "plain"}

func (r Role) String() string { return nameOf(roleNames[:], int(r)) }

// TenantMode says what stands in the second segment of a partition key.
type TenantMode uint8

// The tenant modes.
const (
	// TenantDefault, the zero value, is TenantRequired. Of a plain table without entities it is TenantNone where the
	// policy says nothing of tenants.
	TenantDefault TenantMode = iota

	TenantRequired // the tenant, or common
	TenantCommon   // always common: data that tenants share
	TenantNone     // no tenant: the second segment is the first of Partition
)

var tenantModeNames = [...]string{"default", "required", "common", "none"}

// isRequired reports whether a tenant stands there, also by default.
func (m TenantMode) isRequired() bool { return m == TenantDefault || m == TenantRequired }

func (m TenantMode) String() string { return nameOf(tenantModeNames[:], int(m)) }

// nameOf is the name of a value of an enumeration, or a text that is none.
func nameOf(names []string, i int) string {
	if i < 0 || i >= len(names) {
		return "unknown"
	}
	return names[i]
}

// Table declares a table, or all with names that match a pattern.
type Table struct {
	Name string // or a pattern as path.Match has them: prod-*-data
	Role Role
	Key  KeySchema // zero: pk and sk

	// Tenant holds for a table or index without Entities; those say it each for themselves.
	Tenant TenantMode

	// Open leaves the table alone: any caller may read and write it, and no rule holds there. Nothing else is then
	// declared of it but its name.
	Open bool

	Entities         []Entity // none: keys are held only to the rules on tenants and versions
	Indexes          []Index
	VersionAttribute string // "": version

	// Bookkeeping are the top-level attributes of a command or history table's items that may change: what keeps track
	// of a version, and is no part of it. nil is DefaultBookkeeping; an empty list is none.
	Bookkeeping []string

	Latest *Latest

	// Commands names the command table of a data table. Each item that a command made then follows one: a version other
	// than the first needs the command of that version. "" does not say.
	Commands string

	Severities map[string]Severity // by rule id, before those of the policy
}

// KeySchema names the attributes of a primary key. Without Sort there is no sort key.
type KeySchema struct{ Partition, Sort string }

// DefaultKey is the key of the guide's tables.
var DefaultKey = KeySchema{Partition: "pk", Sort: "sk"}

// DefaultVersionAttribute holds the version of an item unless a table says otherwise.
const DefaultVersionAttribute = "version"

// Index declares a secondary index. Items whose index keys are absent are not in it, which is no finding.
type Index struct {
	Name     string
	Key      KeySchema
	Tenant   TenantMode
	Entities []Entity

	// Open lets every caller that may use the table read all of the index. Without it a tenant reads an index of a
	// table with tenants by keys that name the tenant.
	Open bool
}

// Entity declares a kind of item by its keys: Prefix#tenant[#Partition] and Sort.
type Entity struct {
	Name      string
	Prefix    string // first segment of the partition key; "": it has none and Tenant is TenantNone
	Tenant    TenantMode
	Partition []Segment // what follows prefix and tenant
	Sort      []Segment // without the version

	// Mutable are top-level attributes whose values, strings or numbers, change, so that no key may hold them.
	Mutable []string

	// MaxPartitions bounds how many partition keys there may be; 0 is no bound. See State.
	MaxPartitions int
}

// MaxPartitionBound is the largest bound on partition keys.
const MaxPartitionBound = 1_000_000

// Latest declares that a table has, next to the versions of a document, an item that holds the newest one ("Managing latest in
// DynamoDB"). The last segment of a key attribute tells versions of a document apart, and Pointer stands there in the item that
// holds the newest one; what else the keys have names the document.
type Latest struct {
	Attribute     string // key attribute; "": the sort key, or the partition key of a table that has no other
	Pointer       string // "": latest
	ActualVersion string // attribute of the pointer that names the version; "": actualVersion

	// Content are the attributes that pointer and version have in common; empty for all but those of the key and
	// ActualVersion.
	Content []string

	Entity string // the entity that has it; "": all of the table
}

// What Latest has unless it says otherwise.
const (
	DefaultPointer       = "latest"
	DefaultActualVersion = "actualVersion"
)
