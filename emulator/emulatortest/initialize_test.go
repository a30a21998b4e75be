package emulatortest_test

import (
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/emulatortest"
	"github.com/kugiri-db/kugiri/storage/item"
	"github.com/kugiri-db/kugiri/storage/item/jsontext"
)

// shortCircuit is an experiment that BenchmarkRequest measures. It answers in the SDK's Initialize
// step, with the same engine. It sends typed values to the engine as wire JSON and reads them back
// as such. This saves the SDK's serialization, middleware and deserialization. It supports only
// what the benchmark needs: GetItem by key and PutItem without conditions.
type shortCircuit struct{ http *emulator.HTTPClient }

func testCredentials(context.Context) (aws.Credentials, error) {
	return aws.Credentials{AccessKeyID: "test", SecretAccessKey: "test"}, nil
}

func (s *shortCircuit) add(stack *middleware.Stack) error {
	return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("emulator", s.initialize), middleware.Before)
}

func (s *shortCircuit) initialize(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (
	out middleware.InitializeOutput, metadata middleware.Metadata, err error) {
	switch p := in.Parameters.(type) {
	case *dynamodb.GetItemInput:
		body := append(appendAttributes([]byte(`{"TableName":"`+*p.TableName+`","Key":`), p.Key), '}')
		answer, err := s.send(ctx, "DynamoDB_20120810.GetItem", body)
		if err != nil {
			return out, metadata, err
		}
		o := new(dynamodb.GetItemOutput)
		text, found := strings.CutPrefix(answer, `{"Item":`)
		if found {
			scanner := jsontext.NewScanner(text)
			a, err := item.ParseAttributes(&scanner)
			if err != nil {
				return out, metadata, err
			}
			o.Item = make(attributes, a.Item.Len())
			for name, v := range a.Item.All() {
				o.Item[name] = typed(v)
			}
		}
		out.Result = o
	case *dynamodb.PutItemInput:
		body := append(appendAttributes([]byte(`{"TableName":"`+*p.TableName+`","Item":`), p.Item), '}')
		if _, err := s.send(ctx, "DynamoDB_20120810.PutItem", body); err != nil {
			return out, metadata, err
		}
		out.Result = new(dynamodb.PutItemOutput)
	default:
		return next.HandleInitialize(ctx, in)
	}
	return out, metadata, nil
}

var shortURL = &url.URL{Scheme: "http", Host: "kugiri", Path: "/"}

func (s *shortCircuit) send(ctx context.Context, target string, body []byte) (string, error) {
	r := (&http.Request{
		Method: http.MethodPost, URL: shortURL, ContentLength: int64(len(body)), Body: io.NopCloser(strings.NewReader(string(body))),
		Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}, "X-Amz-Target": {target}},
	}).WithContext(ctx)
	res, err := s.http.Do(r)
	if err != nil {
		return "", err
	}
	answer := make([]byte, res.ContentLength)
	_, err = io.ReadFull(res.Body, answer)
	return string(answer), err
}

func appendAttributes(dst []byte, a attributes) []byte {
	dst = append(dst, '{')
	for name, v := range a {
		dst = append(appendValue(append(jsontext.AppendQuoted(dst, name), ':'), v), ',')
	}
	if len(a) > 0 {
		dst = dst[:len(dst)-1]
	}
	return append(dst, '}')
}

func appendValue(dst []byte, v types.AttributeValue) []byte {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return append(jsontext.AppendQuoted(append(dst, `{"S":`...), v.Value), '}')
	case *types.AttributeValueMemberN:
		return append(jsontext.AppendQuoted(append(dst, `{"N":`...), v.Value), '}')
	case *types.AttributeValueMemberBOOL:
		if v.Value {
			return append(dst, `{"BOOL":true}`...)
		}
		return append(dst, `{"BOOL":false}`...)
	case *types.AttributeValueMemberNULL:
		return append(dst, `{"NULL":true}`...)
	case *types.AttributeValueMemberB:
		return append(append(base64.StdEncoding.AppendEncode(append(dst, `{"B":"`...), v.Value), '"'), '}')
	case *types.AttributeValueMemberM:
		return append(appendAttributes(append(dst, `{"M":`...), v.Value), '}')
	case *types.AttributeValueMemberL:
		return appendList(append(dst, `{"L":[`...), v.Value, appendValue)
	case *types.AttributeValueMemberSS:
		return appendList(append(dst, `{"SS":[`...), v.Value, jsontext.AppendQuoted)
	}
	panic("the experiment does not know the type")
}

func appendList[T any](dst []byte, elems []T, f func([]byte, T) []byte) []byte {
	for _, e := range elems {
		dst = append(f(dst, e), ',')
	}
	if len(elems) > 0 {
		dst = dst[:len(dst)-1]
	}
	return append(dst, `]}`...)
}

func typed(v item.Value) types.AttributeValue {
	switch v.Type() {
	case item.S:
		return &types.AttributeValueMemberS{Value: v.Str()}
	case item.N:
		return &types.AttributeValueMemberN{Value: v.Num()}
	case item.B:
		return &types.AttributeValueMemberB{Value: []byte(v.Bytes())}
	case item.BOOL:
		return &types.AttributeValueMemberBOOL{Value: v.Bool()}
	case item.NULL:
		return &types.AttributeValueMemberNULL{Value: true}
	case item.L:
		elems := v.Elems()
		list := make([]types.AttributeValue, 0, v.Len())
		for e := range elems {
			list = append(list, typed(e))
		}
		return &types.AttributeValueMemberL{Value: list}
	case item.SS:
		list := make([]string, 0, v.Len())
		for e := range v.Elems() {
			list = append(list, e.Str())
		}
		return &types.AttributeValueMemberSS{Value: list}
	case item.M:
		m := make(attributes, v.Len())
		for name, f := range v.Fields() {
			m[name] = typed(f)
		}
		return &types.AttributeValueMemberM{Value: m}
	}
	panic("the experiment does not know the type")
}

// TestShortCircuit: shortCircuit answers as the emulator does.
func TestShortCircuit(t *testing.T) {
	s := emulatortest.Start(t)
	createUsers(t, s.Client())
	short := emulatortest.NewClient(s.Emulator, emulatortest.WithClientOptions(func(o *dynamodb.Options) {
		o.APIOptions = append(slices.Clip(o.APIOptions), (&shortCircuit{s.Emulator.HTTPClient("test", "us-east-1")}).add)
	}))
	whole := attributes{"id": text("a")}
	for name, v := range benchItem {
		whole[name] = v
	}
	_, err := short.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("users"), Item: whole})
	require.NoError(t, err)
	for _, client := range []*dynamodb.Client{s.Client(), short} {
		out, err := client.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("users"), Key: attributes{"id": text("a")}})
		require.NoError(t, err)
		assert.Equal(t, whole, out.Item)
	}
}
