package tables

import (
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/conventions/wire"
	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
	"github.com/kugiri-db/kugiri/storage/item"
)

// Developer Guide, "Quotas in Amazon DynamoDB", "Secondary indexes per table" and "Projected
// attributes per table".
const (
	MaxLocalIndexes  = 5
	MaxGlobalIndexes = 20
	maxNonKey        = 100
)

// keyShape is the maximum number of HASH and RANGE attributes of a key.
type keyShape struct{ hash, rng int }

var (
	PrimaryShape = keyShape{1, 1} // also of local indexes
	// Developer Guide, "Global secondary indexes", "Multi-attribute key schema"
	globalShape = keyShape{4, 4}
)

// CheckKeySchema checks a key schema by itself: HASH elements come before RANGE elements, their
// names are distinct, and there are not too many.
func CheckKeySchema(ks api.KeySchema, shape keyShape) error {
	if *ks[0].KeyType != "HASH" {
		return apierr.Invalid(
			"Invalid KeySchema: The first KeySchemaElement is not a HASH key type")
	}
	if shape == PrimaryShape && len(ks) > 1 {
		return checkPair(ks)
	}
	hash := slices.IndexFunc(ks, func(e api.KeySchemaElement) bool { return *e.KeyType != "HASH" })
	if hash < 0 {
		hash = len(ks)
	}
	if slices.ContainsFunc(ks[hash:],
		func(e api.KeySchemaElement) bool { return *e.KeyType == "HASH" }) {
		return apierr.BadParameter(
			"All HASH key attributes must precede RANGE key attributes in the KeySchema")
	}
	if hash > shape.hash {
		return apierr.BadParameter(
			"The KeySchema exceeds the maximum allowed number of HASH key attributes")
	}
	if len(ks)-hash > shape.rng {
		return apierr.BadParameter(
			"The KeySchema exceeds the maximum allowed number of RANGE key attributes")
	}
	return checkDistinctKeys(ks)
}

// checkPair checks the key of a table or local index whose first element is HASH. It checks the
// names before the type of the second element (service facts 6.3).
func checkPair(ks api.KeySchema) error {
	if err := checkDistinctKeys(ks); err != nil {
		return err
	}
	if *ks[1].KeyType != "RANGE" {
		return apierr.Invalid(
			"Invalid KeySchema: The second KeySchemaElement is not a RANGE key type")
	}
	return nil
}

func checkDistinctKeys(ks api.KeySchema) error {
	_, repeats := repeated(KeyNames(ks))
	switch {
	case !repeats:
		return nil
	case len(ks) > 2:
		return apierr.Invalid("The KeySchema contains multiple key attributes with the same name")
	}
	return apierr.Invalid(
		"Both the Hash Key and the Range Key element in the KeySchema have the same name")
}

// repeated returns the first of some names that one before it equals.
func repeated(names []string) (name string, repeats bool) {
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		if seen[name] {
			return name, true
		}
		seen[name] = true
	}
	return "", false
}

// CheckTableDefined checks that the attributes of a table's key are defined. If there are fewer
// definitions than elements, the service ignores the names (service facts 6.2).
func CheckTableDefined(ks api.KeySchema, definitions []api.AttributeDefinition) error {
	return checkDefined(ks, definitions)
}

// CheckDefinitionCount checks that a request has as many definitions as a key has elements. It
// ignores the names. UpdateTable does not count what is defined already (service facts F.32).
func CheckDefinitionCount(ks api.KeySchema, definitions []api.AttributeDefinition) error {
	if len(definitions) < len(ks) {
		return apierr.Invalid("Invalid KeySchema: Some index key attribute have no definition")
	}
	return nil
}

// checkDefined checks that the attributes of a key are defined. For an index this check comes
// before all others of its key (service facts 6.1).
func checkDefined(ks api.KeySchema, definitions []api.AttributeDefinition) error {
	if err := CheckDefinitionCount(ks, definitions); err != nil {
		return err
	}
	defined := areDefined(definitions)
	for _, e := range ks {
		if !defined[string(*e.AttributeName)] {
			return apierr.BadParameter(
				"Some index key attributes are not defined in AttributeDefinitions. Keys: %s, AttributeDefinitions: %s",
				Listed(KeyNames(ks)), listedDefinitions(definitions))
		}
	}
	return nil
}

// CheckDistinct checks that no attribute is defined twice.
func CheckDistinct(definitions []api.AttributeDefinition) error {
	if name, repeats := repeated(definedNames(definitions)); repeats {
		return apierr.Invalid("Attribute Name is duplicated: %s", name)
	}
	return nil
}

// CheckAllUsed checks that every defined attribute is in a key of the table or of one of its
// indexes, or in the search schema of a vector index.
func CheckAllUsed(definitions []api.AttributeDefinition, table api.KeySchema, indexes []IndexSpec,
	vectors []api.VectorIndex) error {
	var used []string
	known := map[string]bool{}
	add := func(names []string) {
		for _, name := range names {
			if !known[name] {
				known[name] = true
				used = append(used, name)
			}
		}
	}
	add(KeyNames(table))
	add(vectorNames(vectors))
	for _, ix := range indexes {
		add(KeyNames(ix.Key))
	}
	defined := len(definitions)
	for _, v := range vectors { // refused later on: service facts V.1.5
		if TypeOf(api.KeySchemaAttributeName(*v.VectorAttribute.AttributeName),
			definitions) != item.NoType {
			defined--
		}
	}
	if defined <= len(used) {
		return nil
	}
	if len(indexes) == 0 && len(vectors) == 0 {
		return apierr.BadParameter(
			"Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions")
	}
	return apierr.BadParameter(
		"Some AttributeDefinitions are not used. AttributeDefinitions: %s, keys used: %s",
		listedDefinitions(definitions), Listed(wire.Hashed(used, 16)))
}

// checkProjection checks an index's projection by itself.
func checkProjection(p *api.Projection) error {
	switch {
	case p.ProjectionType == nil:
		return apierr.BadParameter("Unknown ProjectionType: null")
	case *p.ProjectionType != "INCLUDE" && p.NonKeyAttributes != nil:
		return apierr.BadParameter("ProjectionType is %s, but NonKeyAttributes is specified",
			*p.ProjectionType)
	case *p.ProjectionType == "INCLUDE" && p.NonKeyAttributes == nil:
		return apierr.BadParameter(
			"ProjectionType is INCLUDE, but NonKeyAttributes is not specified")
	}
	for i, name := range p.NonKeyAttributes { // the model allows 20 names at most
		if slices.Contains(p.NonKeyAttributes[:i], name) {
			return apierr.BadParameter("Duplicate element in NonKeyAttributes: %s", name)
		}
	}
	return nil
}

// CheckIndexes checks the indexes of a table against each other.
func CheckIndexes(indexes []IndexSpec) error {
	nonKey := 0
	for i, ix := range indexes {
		if slices.ContainsFunc(indexes[:i],
			func(other IndexSpec) bool { return other.Name == ix.Name }) {
			return apierr.BadParameter("Duplicate index name: %s", ix.Name)
		}
		nonKey += len(ix.Projection.NonKeyAttributes)
	}
	if nonKey > maxNonKey {
		return apierr.BadParameter("NonKeyAttributes count exceeds the per-table limit of %d",
			maxNonKey)
	}
	return nil
}

// CheckLocalIndex checks a local index against the table's key.
func CheckLocalIndex(ix *IndexSpec, table api.KeySchema,
	definitions []api.AttributeDefinition) error {
	if err := checkDefined(ix.Key, definitions); err != nil {
		return err
	}
	if err := CheckKeySchema(ix.Key, PrimaryShape); err != nil {
		return err
	}
	if len(ix.Key) < 2 {
		return apierr.BadParameter("Index KeySchema does not have a range key for index: %s",
			ix.Name)
	}
	if hash, tableHash := *ix.Key[0].AttributeName, *table[0].AttributeName; hash != tableHash {
		return apierr.BadParameter(
			"Index KeySchema does not have the same leading hash key as table KeySchema for index: %s. index hash key: %s, table hash key: %s",
			ix.Name, hash, tableHash)
	}
	return checkProjection(ix.Projection)
}

// CheckGlobalIndex checks a global index of a table with a billing mode.
func CheckGlobalIndex(ix *IndexSpec, definitions []api.AttributeDefinition,
	mode api.BillingMode) error {
	if err := checkDefined(ix.Key, definitions); err != nil {
		return err
	}
	if err := CheckKeySchema(ix.Key, globalShape); err != nil {
		return err
	}
	if err := checkProjection(ix.Projection); err != nil {
		return err
	}
	return checkIndexThroughput(ix, mode)
}

// KeptDefinitions returns a copy of attribute definitions that shares no memory with the request,
// sorted by name as descriptions show them (AWS CLI Command Reference, create-table, GameScores).
func KeptDefinitions(definitions []api.AttributeDefinition) []api.AttributeDefinition {
	out := make([]api.AttributeDefinition, len(definitions))
	for i, d := range definitions {
		out[i] = api.AttributeDefinition{
			AttributeName: api.Clone(d.AttributeName), AttributeType: api.Clone(d.AttributeType),
		}
	}
	SortDefinitions(out)
	return out
}

func SortDefinitions(definitions []api.AttributeDefinition) {
	slices.SortFunc(definitions, func(a, b api.AttributeDefinition) int {
		return strings.Compare(string(*a.AttributeName), string(*b.AttributeName))
	})
}
