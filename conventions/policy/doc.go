// Package policy checks requests, writes and items against the conventions of package conventions:
// how keys are built, whose tenant's data a request touches, how versions count up, and that a
// latest item points at the newest version.
//
// A Policy says, table by table, what is stored there. Compile makes an Engine of it, which is
// immutable and safe for concurrent use, and says what it finds wrong in three kinds of material:
//
//   - CheckRequest: a request by itself, which is all that SDK middleware and a gateway see.
//   - CheckWrites: the writes of one commit with the items before and after, which a database sees.
//   - CheckItem: an item at rest.
//
// Advise says what a Policy itself declares that the documents advise against.
//
// What it finds are Findings, each of one Rule; Rules lists them with the passages that they come
// from. What to do about a finding is the caller's business: Enforce is to be refused, Warn to be
// told.
//
// # What is decided where the documents leave it open
//
// A key that is wrong in several ways is reported for the first in this order: its prefix, its
// tenant, the number of its segments, their values. A sort key with too many segments is reported
// for its status if a segment is a status word (guide, anti-pattern 2: ORDER#pending#01HX7M). Two
// or more segments too many, or one that repeats an attribute of the item, are an overloaded key
// (anti-pattern 1). Exactly one other is a segment too many.
//
// Separators: "#" only. Another one (- _ : / | . , ; ~ or white space) is reported where a declared
// prefix or a valid segment stands in front of it and the whole is not what is declared:
// ORDER-01HX7M_item:001. Inside declared names (ORDER_ITEM), dates and values of type Any these
// characters are text like any other.
//
// Tenants: the second segment of a partition key. USER_ACTIVITY#user123, the guide's unbounded key,
// cannot be told from a tenant by its looks: declare the known tenants, which makes it a key
// without a tenant, or declare the entity with its user as a partition segment and a bound, which
// makes it an unbounded key once the bound is passed.
//
// One fixed partition (the bad solution of "Managing latest"): a partition key in which nothing
// varies, neither tenant nor segment, above a sort key. The partitions of shared data, USER#common,
// are the guide's own and are let be; so is an index over a value that all items of a model have,
// with which "Designing a DynamoDB table" lists posts by time.
//
// Words of state and mutable attributes' values: not in primary keys, as the guide says. An item
// moves in an index when its state changes: an index by state is there for that. A segment that may
// be any text may be such a word (an event called failed) until a write changes the attribute that
// has it too: only then the key says what the item no longer is. The values of mutable attributes
// are compared with segments that may be any text, and numbers with none.
//
// Commands and history: what makes them never changes. The framework of the guide keeps track of
// them in the same items (status, ttl, updatedAt), which is their bookkeeping and may change.
//
// Several entities: a key condition that items of more than one can meet, as they are declared. All
// variants of an entity, such as the providers of a user, are one.
//
// Names that do not begin with a declared prefix are findings in tables that declare entities. A
// table without entities is held only to the rules on tenants and versions of its role.
//
// # Limits
//
// Memory is used by a State only, at most eight bytes and some overhead for each partition key up
// to the declared bounds.
package policy
