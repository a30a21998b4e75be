package emulator

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
	"github.com/kugiri-db/kugiri/storage/item"
)

// samples are values of members that satisfy the model's constraints, by the names of their types.
var samples = map[string]any{
	"TableArn":                  "plain",
	"TableName":                 "newtable",
	"ResourceArnString":         tableA("plain"),
	"BackupArn":                 tableA("plain/backup/01234567890123-abcdefab"),
	"ExportArn":                 tableA("plain/export/01234567890123-abcdefab"),
	"ImportArn":                 tableA("plain/import/01234567890123-abcdefab"),
	"BulkOperationArn":          tableA("plain/bulk-operation/01234567890123-abcdefab"),
	"StreamArn":                 tableA("plain/stream/2026-01-01T00:00:00.000"),
	"ShardId":                   "shardId-00000001767225600000-00000001",
	"ShardIterator":             tableA("plain/stream/2026-01-01T00:00:00.000") + "|1|AAAA",
	"ShardIteratorType":         "LATEST",
	"PartiQLStatement":          "SELECT * FROM plain",
	"ContributorInsightsAction": "ENABLE",
	"InputFormat":               "CSV",
	"BulkOperationInputFormat":  "ION",
	"OutputTypeEnum":            "ERROR",
	"KeyType":                   "HASH",
	"ScalarAttributeType":       "S",
	"DestinationStatus":         "ACTIVE",
	"ComparisonOperator":        "EQ",
	"VectorDistanceMetric":      "COSINE",
	"TimeToLiveAttributeName":   "ttl",
	"PolicyRevisionId":          "1",
	"S3Bucket":                  "bucket",
	"TransactGetItem": map[string]any{
		"Get": map[string]any{"TableName": "plain", "Key": key},
	},
	"TransactWriteItem": map[string]any{
		"Put": map[string]any{"TableName": "plain", "Item": key},
	},
	"WriteRequest":                     map[string]any{"PutRequest": map[string]any{"Item": key}},
	"PointInTimeRecoverySpecification": map[string]any{"PointInTimeRecoveryEnabled": true},
}

var key = map[string]any{"pk": map[string]any{"S": "a"}}

// validRequest returns a request with the required members of an operation.
func validRequest(t *testing.T, o *serve.Operation) string {
	text, err := json.Marshal(sampleOf(o.Input))
	require.NoError(t, err)
	return string(text)
}

func sampleOf(t reflect.Type) any {
	if t.Kind() == reflect.Pointer {
		return sampleOf(t.Elem())
	}
	if s, ok := samples[t.Name()]; ok {
		return s
	}
	switch t {
	case reflect.TypeFor[item.Attributes]():
		return key
	case reflect.TypeFor[api.AttributeValue]():
		return key["pk"]
	}
	switch t.Kind() {
	case reflect.Struct:
		members := map[string]any{}
		for i := range t.NumField() {
			if name, required := strings.CutSuffix(t.Field(i).Tag.Get("wire"),
				",required"); required {
				members[name] = sampleOf(t.Field(i).Type)
			}
		}
		return members
	case reflect.Slice:
		if element := t.Elem(); strings.HasPrefix(element.Name(), "Entry[") {
			value, _ := element.FieldByName("Value")
			return map[string]any{"plain": sampleOf(value.Type)}
		}
		return []any{sampleOf(t.Elem())}
	case reflect.String:
		return "sample"
	case reflect.Bool:
		return true
	}
	return 1
}
