package policy

import "fmt"

// Rule is one of the conventions, as far as it can be checked.
type Rule struct {
	ID      string   // stable
	Title   string   // what holds
	Passage string   // document and section that it comes from
	Default Severity // Off for what a policy has to ask for
	Remedy  string   // what to do instead, in general

	index int
}

// The documents, as passages name them.
const (
	docGuide  = "Key design patterns, "
	docSteps  = "Designing a DynamoDB table, "
	docLatest = "Managing latest in DynamoDB, "
)

// rule adds a rule to those that Rules lists.
func rule(id string, severity Severity, title, passage, remedy string) *Rule {
	r := &Rule{
		ID: id, Title: title, Passage: passage, Default: severity, Remedy: remedy,
		index: len(rules),
	}
	rules = append(rules, r)
	return r
}

var rules []*Rule

// The rules on keys.
var (
	RuleUndeclaredPrefix = rule("key-undeclared-prefix", Enforce,
		"Keys begin with a declared prefix",
		docGuide+"Best practices 1, Use consistent prefixes",
		"use the prefix of a declared entity, or declare the entity in the policy")
	RuleKeySchema = rule("key-schema", Enforce,
		"Tables and indexes have the declared key attributes",
		docSteps+"Merging several models into one table, 1; "+docGuide+"Overview of the key structure",
		"create it with the declared key, of strings, or declare in the policy the key that it has: key: {partition: ..., sort: ...}")
	RuleSeparator = rule("key-separator", Enforce, `Segments are separated by "#" only`,
		docGuide+"Anti-patterns 3, Inconsistent separators", `join the segments with "#"`)
	RuleSegments = rule("key-segments", Enforce,
		"Keys have the declared number of segments, none of them empty",
		docGuide+"Overview of the key structure",
		"build the key from all of the entity's declared segments and no others")
	RuleOverloaded = rule("key-overloaded", Enforce,
		"Keys identify, and do not carry what items are filtered by",
		docGuide+"Anti-patterns 1, Overloading keys with information",
		"keep what identifies the item in the key, and move the rest to attributes")
	RuleMutable = rule("key-mutable", Enforce, "Keys hold nothing that changes",
		docGuide+"Anti-patterns 2, Mutable data in keys", "move what changes to an attribute")
	RuleULID = rule("key-ulid", Enforce, "Where a ULID is declared, a ULID stands",
		docGuide+"Best practices 2, Use ULIDs for sortable ids",
		"make the id with a ULID generator")
	RuleValue = rule("key-value", Enforce, "Segments are of their declared type",
		docGuide+"Common key patterns", "write the segment in its declared form")
	RuleID = rule("key-id", Enforce,
		"The attribute id is the partition key and the sort key without its version",
		docGuide+"Overview of the key structure",
		"write the id that generateId makes: PK#SK, without the version")
	RuleAtSign = rule("key-at-sign", Warn,
		`Values in sort keys have no "@", which parts a version from its key`,
		docGuide+"Version management",
		"encode the value, with %40 in place of the @, as conventions.Escape does")
	RuleUnbounded = rule("key-unbounded", Warn,
		"An entity has no more partition keys than its bound",
		docGuide+"Best practices 4, Keep the cardinality of partition keys manageable",
		"partition by tenant, and put what is unbounded into the sort key")
	RuleFixedPartition = rule("partition-fixed", Enforce,
		"Items do not all go to one fixed partition",
		docLatest+"The bad solution; "+docSteps+"Deciding each model's primary key",
		"let the partition key vary, by tenant or id, and keep the newest item under a latest key")
	RuleMixedRead = rule("read-mixed-entities", Warn, "A key condition selects one entity's items",
		docSteps+"Merging several models into one table, 2; "+docGuide+
			"Best practices 3, Design for query patterns",
		"ask for sort keys that begin as those of one entity do, or query an index that has one entity only")
	RuleScan = rule("read-scan", Warn, "Items are found by key, not by scanning the table",
		docGuide+"Best practices 3, Design for query patterns; "+docSteps+"Listing access patterns",
		"query a partition, or an index made for the access pattern")
)

// The rules on tenants.
var (
	RuleTenantMissing = rule("tenant-missing", Enforce, "Partition keys name the tenant",
		docGuide+"Best practices 5, Include the tenant in the partition key",
		"make the tenant the second segment of the partition key: PREFIX#tenant")
	RuleTenantInSortKey = rule("tenant-in-sort-key", Enforce,
		"The tenant is not in the sort key only",
		docGuide+"Best practices 5, Include the tenant in the partition key",
		"move the tenant to the second segment of the partition key")
	RuleTenantCommon = rule("tenant-common", Enforce,
		"Data that tenants share is in the tenant common",
		docGuide+"Best practices 6, Use the common tenant for shared data",
		"use the partition key PREFIX#common")
	RuleTenantCrossing = rule("tenant-crossing", Enforce,
		"A tenant's requests reach its own keys and shared ones only",
		docGuide+"Problems that these patterns solve", "use the caller's own tenant in the key")
	RuleTenantShared = rule("tenant-shared", Enforce,
		"Tenants read what they share, and privileged callers write it",
		docGuide+"Best practices 6, Use the common tenant for shared data",
		"have a privileged caller write it, or declare the entity with writable: true")
	RuleTenantScan = rule("tenant-scan", Enforce, "No tenant's request scans all tenants' items",
		docGuide+"Problems that these patterns solve", "query the tenant's own partition")
	RuleTenantCaller = rule("tenant-caller", Enforce, "A request's tenant is known",
		docGuide+"When to use this guide, Multi-tenant isolation",
		"use an access key that the policy gives a tenant, or send the policy's tenant header")
	RuleTenantUndeclared = rule("tenant-undeclared", Enforce,
		"Tables, indexes and keys are those that a policy with tenants declares",
		docGuide+"When to use this guide, Multi-tenant isolation", "declare it in the policy")
	RuleTenantOperation = rule("tenant-operation", Enforce,
		"Operations on tables are for privileged callers",
		docGuide+"When to use this guide, Multi-tenant isolation",
		"use an access key of a privileged tenant")
)

// The rules on versions.
var (
	RuleVersionInDataKey = rule("version-in-data-key", Enforce,
		"Sort keys of data tables have no version",
		docGuide+"Anti-patterns 4, Version suffix in data operations",
		"remove the version from the sort key; it belongs in the version attribute")
	RuleVersionMissing = rule("version-missing", Enforce,
		"Sort keys of command and history tables end in a version",
		docGuide+"Version management", "add the version to the sort key: sk@3")
	RuleVersionFirst = rule("version-first", Enforce, "A new item starts with the first version",
		docGuide+"Version management",
		"write the version attribute: 0 for an item that no command made, 1 for the first command's")
	RuleVersionAttribute = rule("version-attribute", Enforce,
		"The version attribute says what the sort key says",
		docGuide+"Version management",
		"write the same version into the sort key and the version attribute")
	RuleVersionSequence = rule("version-sequence", Enforce, "A version is the stored one plus one",
		docGuide+"Version management",
		"read the item again and write the version that follows its own")
	RuleVersionNotRaised = rule("version-not-raised", Enforce,
		"A change of an item raises its version by one",
		docGuide+"Version management",
		"set the version to the one read plus one, under a condition on the one read")
	RuleVersionDeleted = rule("version-deleted", Enforce,
		"A deletion is conditional on the version that was read",
		docGuide+"Problems that these patterns solve",
		"make the deletion conditional on the version that was read: version = :read")
	RuleVersionCommand = rule("version-command", Enforce,
		"An item of a data table has the version of the command that made it",
		docGuide+"Version management",
		"write the command first, and the item with its version and its key, under the sort key without the version")
	RuleHistory = rule("history-immutable", Enforce,
		"Commands and history are never changed, but for their bookkeeping, or deleted",
		docGuide+"Version management", "write a new version under the next sort key")
	RuleExpiry = rule("history-expiry", Enforce,
		"Commands, history, published versions and latest items do not expire",
		docGuide+"Version management; "+docLatest+"The solution",
		"leave TTL off, and keep what is to expire in another table")
)

// The rules on items that expire, and on children.
var (
	RuleParentMissing = rule("parent-missing", Off, "The parent of a child is there",
		docGuide+"Decision tree, a child with a key of its own",
		"write the parent first, or together with the child")
	RuleExpiryMissing = rule("expiry-missing", Enforce,
		"An item that is to expire says when",
		docGuide+"Pattern 3, temp",
		"write the second, since 1970, after which the item expires, as a number")
)

// The rules on latest items.
var (
	RuleLatestMissing = rule("latest-missing", Enforce,
		"A new version is written together with its latest item",
		docLatest+"Implementation, Creating a new document version",
		"put the version and the latest item in one TransactWriteItems")
	RuleLatestVersion = rule("latest-version", Enforce,
		"The latest item names the version that it holds",
		docLatest+"Points",
		"write the latest item with the version in its actual-version attribute, in the transaction that writes the version")
	RuleLatestContent = rule("latest-content", Enforce,
		"The latest item holds what its version holds",
		docLatest+"The solution", "write the same content to both items")
	RuleLatestCondition = rule("latest-condition", Enforce,
		"The latest item is written under a condition on the version that it named when it was read",
		docLatest+"Points",
		"make the write conditional on the actual version that was read (actualVersion = :read), or on the absence of the item")
	RuleLatestRewritten = rule("latest-rewritten", Enforce,
		"A version of a document is written once",
		docLatest+"The challenge",
		"write the content as a new version, and name it in the latest item")
)

// Rules lists all rules. They are not to be changed.
func Rules() []*Rule { return append([]*Rule(nil), rules...) }

// RuleByID returns the rule with an id.
func RuleByID(id string) (*Rule, error) {
	for _, r := range rules {
		if r.ID == id {
			return r, nil
		}
	}
	return nil, fmt.Errorf("%.100q is no rule", id)
}
