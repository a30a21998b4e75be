package workbench

// Model is a model. V is the type of its values that are no part of the format, such as items.
type Model[V any] struct {
	ModelName     string
	ModelMetadata V
	DataModel     V // a list of tables
}

// Table is a table of a model. It becomes JSON if a V does.
type Table[V any] struct {
	TableName                   string
	KeyAttributes               Key
	NonKeyAttributes            []Attribute  `json:",omitempty"`
	TableFacets                 V            `json:",omitempty"` // a list of facets
	GlobalSecondaryIndexes      []Index      `json:",omitempty"`
	TableData                   V            `json:",omitempty"` // a list of items
	SampleDataFormats           V            `json:",omitempty"`
	DataAccess                  V            `json:",omitempty"`
	BillingMode                 string       `json:",omitempty"`
	ProvisionedCapacitySettings *Capacity[V] `json:",omitempty"`
}

// Attribute is an attribute with its type: "S", "N" or another one of DynamoDB's.
type Attribute struct{ AttributeName, AttributeType string }

// Key is the key of a table or of an index.
type Key struct {
	PartitionKey Attribute
	SortKey      *Attribute `json:",omitempty"`
}

// Index is a global secondary index.
type Index struct {
	IndexName     string
	KeyAttributes Key
	Projection    Projection
}

// Projection says which attributes an index has.
type Projection struct {
	ProjectionType   string
	NonKeyAttributes []string `json:",omitempty"`
}

// Capacity is the provisioned capacity of a table.
type Capacity[V any] struct {
	ProvisionedThroughput Throughput[V]
	AutoScalingRead       V `json:",omitempty"`
	AutoScalingWrite      V `json:",omitempty"`
}

// Throughput holds two numbers.
type Throughput[V any] struct{ ReadCapacityUnits, WriteCapacityUnits V }

// Facet is a view of a table: the items of one kind.
type Facet[V any] struct {
	FacetName         string
	KeyAttributeAlias KeyAlias
	NonKeyAttributes  []string
	TableData         V // a list of items
}

// KeyAlias has the names that a facet gives to the attributes of the table's key.
type KeyAlias struct{ PartitionKeyAlias, SortKeyAlias string }
