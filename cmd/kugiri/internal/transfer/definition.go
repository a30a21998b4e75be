package transfer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// Settings are the definition of a table, with what CreateTable does not take.
type Settings struct {
	Create     *dynamodb.CreateTableInput
	TimeToLive string // the attribute; "" for none
}

// WriteDefinition writes the input of a CreateTable request as JSON, as for `aws dynamodb
// create-table --cli-input-json`.
func WriteDefinition(out io.Writer, in *dynamodb.CreateTableInput) error {
	text, err := json.Marshal(in)
	if err != nil {
		return err
	}
	tree, err := decodeTree(text)
	if err != nil {
		return err
	}
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(withoutEmpty(tree))
}

// withoutEmpty removes members that the SDK's types encode as null, "" or an empty list, because
// they are not set.
func withoutEmpty(tree any) any {
	switch v := tree.(type) {
	case map[string]any:
		for name, member := range v {
			member = withoutEmpty(member)
			if list, ok := member.([]any); member == nil || member == "" || ok && len(list) == 0 {
				delete(v, name)
				continue
			}
			v[name] = member
		}
	case []any:
		for i := range v {
			v[i] = withoutEmpty(v[i])
		}
	}
	return tree
}

// mostDefinition is how many bytes a definition may have: many times what all indexes and
// attributes of a table take.
const mostDefinition = 1 << 20

// ReadDefinition reads the output of WriteDefinition, the input of `aws dynamodb create-table`,
// which may have no other members, or the output of `aws dynamodb describe-table`.
func ReadDefinition(name string, text []byte) (*dynamodb.CreateTableInput, error) {
	if len(text) > mostDefinition {
		return nil, fmt.Errorf("%s: a definition may have %d bytes", name, mostDefinition)
	}
	described, err := readDescription(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if described != nil {
		return endpoint.Creation(described), nil
	}
	in := new(dynamodb.CreateTableInput)
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(in); err != nil {
		return nil, fmt.Errorf(
			"%s is not a table definition (the JSON that `aws dynamodb create-table --cli-input-json` takes): %w", name, err)
	}
	if err := jsontext.CheckUnicode(string(text)); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return in, nil
}

// readDescription reads what `aws dynamodb describe-table` and create-table print. It returns nil
// for other JSON.
func readDescription(text []byte) (*types.TableDescription, error) {
	tree, err := decodeTree(text)
	if err != nil {
		return nil, err
	}
	printed, _ := tree.(map[string]any)
	for _, member := range [...]string{"Table", "TableDescription"} {
		table, there := printed[member]
		if !there {
			continue
		}
		text, err := json.Marshal(withoutTimes(table))
		if err != nil {
			return nil, err
		}
		described := new(types.TableDescription)
		return described, json.Unmarshal(text, described)
	}
	return nil, nil
}

// withoutTimes removes the times, which the AWS CLI prints as text or as numbers.
func withoutTimes(tree any) any {
	switch v := tree.(type) {
	case map[string]any:
		for name, member := range v {
			if strings.HasSuffix(name, "DateTime") {
				delete(v, name)
				continue
			}
			v[name] = withoutTimes(member)
		}
	case []any:
		for i := range v {
			v[i] = withoutTimes(v[i])
		}
	}
	return tree
}

// KeysOf returns the types of a table's key attributes.
func KeysOf(t *types.TableDescription) KeyTypes {
	keys := KeyTypes{}
	for _, k := range t.KeySchema {
		for _, a := range t.AttributeDefinitions {
			if *a.AttributeName == *k.AttributeName {
				keys[*k.AttributeName] = string(a.AttributeType)
			}
		}
	}
	return keys
}
