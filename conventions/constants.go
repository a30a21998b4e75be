package conventions

// The guide's constants ("Framework constants").
const (
	KeySeparator     = "#" // separates the segments of a key
	VersionSeparator = "@" // separates a sort key and its version
	VersionFirst     = 0   // version of a new entity
	// a sort key without a version has it, which stands for the latest version
	VersionLatest = -1
	TenantCommon  = "common" // tenant of data that all tenants share
	DefaultTenant = "single" // tenant of an application that has only one
)

// VersionMax is the largest version. It is the largest integer that every language of the framework
// represents exactly.
const VersionMax = 1<<53 - 1

// The longest keys in bytes (Developer Guide, Constraints, "Partition keys and sort keys").
const (
	MaxPartitionKeyBytes = 2048
	MaxSortKeyBytes      = 1024
)

// The prefixes of the built-in keys ("Built-in key generators").
const (
	MasterPrefix   = "MASTER"
	SequencePrefix = "SEQ"
	TTLPrefix      = "TTL"
)
