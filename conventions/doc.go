// Package conventions holds the rules of the guide "Key design patterns" for keys in DynamoDB, as
// pure functions and values. It needs no emulator, no SDK and no clock of its own.
//
// # Keys ("Overview of the key structure")
//
// A key is a string of segments joined by KeySeparator. A partition key begins with the entity's
// prefix and the tenant. In tables that keep versions, a sort key ends with VersionSeparator and
// the version. An id consists of both keys, without the version:
//
//	PK = PREFIX#tenant[#more]
//	SK = segment[#segment...][@version]
//	ID = PK#SK
//
// PartitionKey, SortKey and ID build them. ParsePartitionKey, ParseSortKey and ParseID take them
// apart. Building from the parsed parts gives the same key again. The package refuses to build a
// key that it could not parse back:
//
//   - A segment is not empty, is UTF-8 and has no "#". A value that may contain "#" needs an
//     encoding of its own, such as Escape.
//   - "@" may occur in a value: user@example.com is a valid identifier, and its third version is
//     user@example.com@3. Only a final "@" followed by a version in canonical decimal (0, or digits
//     without a leading zero, up to VersionMax) is a version. The package refuses to build a sort
//     key from a value such as user@2, because it would read the 2 as a version.
//   - The package refuses to parse a sort key that ends in "@" without a canonical version (a@,
//     a@01, a@-1) or in two versions (a@3@4), because other programs may read it differently.
//   - Partition keys have no version, so "@" has no meaning in them.
//   - An id does not show where its partition key ends. The caller tells ParseID.
//
// Prefix, Segments, Tenant, Version, HasVersion and RemoveVersion return no error and accept any
// key. They return what the rules above find in the key, or a "none" value if they find nothing.
//
// # Patterns ("Common key patterns")
//
// The types Simple, Hierarchical, Variant, TenantAssociation, MasterData and TimeSeries are the
// guide's six patterns. A value declares an entity: its prefix, and the names that its sort keys
// may begin with. It builds keys from their parts and parses keys into their parts. DecisionMatrix
// and DecisionTree hold the guide's "Pattern selection guide", and Recommend walks the tree.
//
// Package example is an application built with them. Its policy checks the requests of every client
// against the guide.
//
// # Where the guide leaves a choice
//
//   - Simple requires ULIDs ("Use ULIDs for sortable ids"), unless AnyID is set.
//   - A prefix for a query ends in the separator (SortKeyPrefix). With the guide's
//     ORDER_ITEM#orderId, a query for the items of order 1 would also find those of order 10,
//     unless all ids have the same length.
//   - TimeSeries parses timestamps with and without milliseconds: the guide's code uses one form
//     and its examples the other.
//   - Escape and Unescape are an encoding of values for segments, which the guide does not have.
//   - The decision tree has a branch for shared data, which the guide has in its decision matrix
//     only.
//
// # Where the helpers differ from those of the framework (@mbc-cqrs-serverless/core 0.1.48-beta.0)
//
//   - removeSortKeyVersion, getSortKeyVersion and generateId cut a sort key at its last "@",
//     whatever follows. To them local#bob@a.com and local#bob@b.com are one id,
//     USER#common#local#bob, and have the version NaN; a@0x10 has the version 16. RemoveVersion,
//     Version and ID take only a canonical version for one, because two users must not become one
//     item. Escape makes values that both read alike: local#bob%40a.com.
//   - They cut @3 and ORDER#@3, too, which leaves no sort key, or one with an empty segment. Here a
//     version after nothing does not count as one.
//   - addSortKeyVersion takes any version, -1 and 1.5 too. AddVersion takes those that sort keys
//     have.
//   - getTenantCode returns the last segment: 2024-01 of LOG#tenant001#2024-01. Tenant returns
//     tenant001, the segment that the guide's patterns have the tenant in. Of PRODUCT# it returns
//     an empty tenant, and of #tenant001 the one of an entity without a prefix, where Tenant finds
//     none: neither is a key that can be built.
//   - masterPk and seqPk take an empty tenant for the default one. MasterKey and SequenceKey refuse
//     it: a tenant that was lost is not the only one.
//   - The framework's helpers accept and return any text. Those that build keys here refuse what
//     they could not parse back.
package conventions
