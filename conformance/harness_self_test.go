package conformance

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRequestsSurviveTheSDK decodes requests into the SDK's structures and encodes them again: the
// SDK sends exactly what a case says.
func TestRequestsSurviveTheSDK(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"TableName":"t","Item":{"s":{"S":""},"n":{"N":"1"},"b":{"B":"AAE="},"t":{"BOOL":false},"z":{"NULL":true},"ss":{"SS":["a"]},"ns":{"NS":["1"]},"bs":{"BS":["AA=="]},"l":{"L":[{"M":{}}]}},"ReturnValues":"ALL_OLD"}`,
		`{"TableName":"t","Item":{},"Expected":{"a":{"Exists":false}},"ExpressionAttributeNames":{"#a":"b"}}`,
	} {
		input := reflect.ValueOf(&dynamodb.PutItemInput{}).Elem()
		require.NoError(t, fill(input, parseJSON(body)))
		assert.Equal(t, parseJSON(body), tree(input))
	}
	assert.Error(t, fill(reflect.ValueOf(&dynamodb.PutItemInput{}).Elem(), parseJSON(`{"Nope":1}`)))
	_, err := invoke(context.Background(), target.client, "Nope", `{}`)
	assert.Error(t, err)
}

// deaf records that a check failed, and does not fail.
type deaf struct{ failed bool }

func (d *deaf) Errorf(string, ...any) { d.failed = true }

func TestChecksCanFail(t *testing.T) {
	t.Parallel()
	service := &smithy.GenericAPIError{Code: "ValidationException", Message: "a b"}
	for want, ok := range map[string]bool{
		"ValidationException: a b": true, "ValidationException: a": false,
		"ValidationException: a*": true, "ValidationException: b*": false,
		"ValidationException: *": true,
		"Other: *":               false, "Other: x || ValidationException: a b": true,
		"ValidationException": false, "ValidationException: a b c": false,
	} {
		d := &deaf{}
		assertError(d, want, service, "")
		assert.Equal(t, ok, !d.failed, want)
	}
	for _, err := range []error{nil, errors.New("ValidationException: a b")} {
		d := &deaf{}
		assertError(d, "ValidationException: a b", err, "")
		assert.True(t, d.failed, "%v is no error of the service", err)
	}
	for want, ok := range map[string]bool{
		`{"a":1}`: true, `{"a":2}`: false, `{"l":[{"b":1}]}`: true, `{"l":[]}`: false,
		`{"l":[{"b":2}]}`: false, `{"x":null}`: true, `{"x":1}`: false, `{"n":1.0}`: true,
	} {
		d := &deaf{}
		assertHas(d, want, parseJSON(`{"a":1,"l":[{"b":1,"c":2}],"n":1}`))
		assert.Equal(t, ok, !d.failed, want)
	}
}

func TestNormalForm(t *testing.T) {
	t.Parallel()
	same := func(a, b string) bool {
		return assert.ObjectsAreEqual(normal(parseJSON(a)), normal(parseJSON(b)))
	}
	assert.True(t, same(`{"SS":["a","b"]}`, `{"SS":["b","a"]}`))
	assert.True(t, same(`{"CapacityUnits":1.0}`, `{"CapacityUnits":1}`))
	assert.False(t, same(`{"N":"1.0"}`, `{"N":"1"}`), "the text of a number attribute counts")
	assert.False(t, same(`{"L":[{"S":"a"},{"S":"b"}]}`, `{"L":[{"S":"b"},{"S":"a"}]}`))
	assert.False(t, same(`{}`, `{"a":null}`))
	assert.True(t,
		same(`{"Responses":{"t":[{"a":1},{"a":2}]}}`, `{"Responses":{"t":[{"a":2},{"a":1}]}}`),
		"BatchGetItem")
	assert.False(t, same(`{"Responses":{"t":[{"a":1}]}}`, `{"Responses":{"t":[{"a":2}]}}`))
	assert.False(t, same(`{"Responses":[{"a":1},{"a":2}]}`, `{"Responses":[{"a":2},{"a":1}]}`),
		"transactions and batches of statements")
	assert.False(t, same(`{"Responses":[{"a":1}]}`, `{"Responses":[{}]}`))
	assert.Equal(t, "x-@hashes-x",
		replaceWord("@hash-@hashes-@hash", "@hash", func() string { return "x" }))
}
