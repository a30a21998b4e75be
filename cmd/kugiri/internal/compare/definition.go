package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// DefinitionDifference is a part of a table's definition that differs: "" stands for a part that is
// not there.
type DefinitionDifference struct {
	Part string `json:"part"` // "key", "global index by-date"
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
}

// compareDefinitions compares the keys and indexes of two tables.
func compareDefinitions(from, to *types.TableDescription) (differences []DefinitionDifference) {
	a, b := partsOf(from), partsOf(to)
	all := maps.Clone(a)
	maps.Copy(all, b)
	for _, part := range slices.Sorted(maps.Keys(all)) {
		if a[part] != b[part] {
			differences = append(differences, DefinitionDifference{part, a[part], b[part]})
		}
	}
	return differences
}

// keyPart is the part of a definition that has the table's key.
const keyPart = "key"

// partsOf describes the key and the indexes of a table.
func partsOf(t *types.TableDescription) map[string]string {
	kinds := map[string]types.ScalarAttributeType{}
	for _, a := range t.AttributeDefinitions {
		kinds[aws.ToString(a.AttributeName)] = a.AttributeType
	}
	described := map[string]string{keyPart: keyText(t.KeySchema, kinds)}
	for _, ix := range t.LocalSecondaryIndexes {
		described["local index "+aws.ToString(ix.IndexName)] = keyText(ix.KeySchema,
			kinds) + "; " + projectionText(ix.Projection)
	}
	for _, ix := range t.GlobalSecondaryIndexes {
		described["global index "+aws.ToString(ix.IndexName)] = keyText(ix.KeySchema,
			kinds) + "; " + projectionText(ix.Projection)
	}
	for _, ix := range t.VectorIndexes {
		described["vector index "+aws.ToString(ix.IndexName)] = vectorText(
			ix) + "; " + projectionText(ix.Projection)
	}
	return described
}

// keyText describes a key: "customer (S, HASH), date (N, RANGE)".
func keyText(schema []types.KeySchemaElement, kinds map[string]types.ScalarAttributeType) string {
	var texts []string
	for _, k := range schema {
		name := aws.ToString(k.AttributeName)
		texts = append(texts, fmt.Sprintf("%s (%s, %s)", name, kinds[name], k.KeyType))
	}
	return strings.Join(texts, ", ")
}

func projectionText(p *types.Projection) string {
	if p == nil {
		return ""
	}
	return strings.TrimSpace(
		string(p.ProjectionType) + " " + strings.Join(
			slices.Sorted(slices.Values(p.NonKeyAttributes)), ", "))
}

func vectorText(ix types.VectorIndexDescription) string {
	var b strings.Builder
	if ix.VectorAttribute != nil {
		fmt.Fprintf(&b, "%s, ", aws.ToString(ix.VectorAttribute.AttributeName))
	}
	fmt.Fprintf(&b, "%d dimensions, %s", aws.ToInt64(ix.Dimensions), ix.DistanceFunction)
	for _, s := range ix.SearchSchema {
		fmt.Fprintf(&b, ", %s (%s)", aws.ToString(s.AttributeName), s.SearchSchemaElementType)
	}
	return b.String()
}
