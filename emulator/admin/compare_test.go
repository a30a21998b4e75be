package admin

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

func (s *served) remove(accessKey, id string) {
	_, err := s.client(accessKey).DeleteItem(
		s.Context(), &dynamodb.DeleteItemInput{TableName: aws.String("users"),
			Key: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id}}})
	require.NoError(s, err)
}

func TestCompare(t *testing.T) {
	s := serve(t)
	s.createTable("me")
	for _, id := range []string{"a", "b", "c"} {
		require.NoError(t, s.put("me", id, "n", "1"))
	}
	s.do("POST", "snapshots", `{"name":"start"}`)
	s.do("POST", "forks", `{"accessKey":"try","from":"me"}`)
	require.NoError(t, s.put("try", "a", "n", "2"))
	require.NoError(t, s.put("try", "b", "n", "1")) // the same as before
	s.remove("try", "c")
	require.NoError(t, s.put("try", "d"))

	const states = `"before":{"accessKey":"me"},"after":{"accessKey":"try"}`
	s.want(200,
		`{"tables":[{"region":"us-east-1","table":"users","before":true,"after":true,"added":1,"changed":1,"removed":1}]}`, "POST", "compare", `{`+states+`}`)
	s.want(200, `{"tables":[]}`, "POST", "compare",
		`{"before":{"accessKey":"me"},"after":{"accessKey":"me","snapshot":"start"}}`)
	var all []string
	for from := ""; ; {
		_, text := s.do("POST", "compare/items",
			fmt.Sprintf(`{%s,"region":"us-east-1","table":"users","limit":1,"from":%q}`, states,
				from))
		var page struct {
			Items []json.RawMessage
			Next  string
		}
		require.NoError(t, json.Unmarshal([]byte(text), &page))
		for _, one := range page.Items {
			all = append(all, string(one))
		}
		if from = page.Next; from == "" {
			break
		}
	}
	assert.ElementsMatch(t, []string{
		`{"key":{"id":{"S":"a"}},"before":{"id":{"S":"a"},"n":{"N":"1"}},"after":{"id":{"S":"a"},"n":{"N":"2"}}}`,
		`{"key":{"id":{"S":"c"}},"before":{"id":{"S":"c"},"n":{"N":"1"}}}`,
		`{"key":{"id":{"S":"d"}},"after":{"id":{"S":"d"}}}`,
	}, all)

	s.do("POST", "forks/try/snapshots", `{"name":"later"}`)
	_, err := s.client("try").DeleteTable(t.Context(),
		&dynamodb.DeleteTableInput{TableName: aws.String("users")})
	require.NoError(t, err)
	s.want(200,
		`{"tables":[{"region":"us-east-1","table":"users","before":true,"after":false,"added":0,"changed":0,"removed":3}]}`,
		"POST", "compare",
		`{"before":{"accessKey":"try","snapshot":"later"},"after":{"accessKey":"try"}}`)
	s.want(200, `{"items":[]}`, "POST", "compare/items",
		`{`+states+`,"region":"us-west-2","table":"users"}`)

	s.wantError(404, `nothing of the access key "you"`, "POST", "compare",
		`{"before":{"accessKey":"you"},"after":{"accessKey":"me"}}`)
	s.wantError(404, `no snapshot "x"`, "POST", "compare",
		`{"before":{"accessKey":"me","snapshot":"x"},"after":{"accessKey":"me"}}`)
	s.wantError(400, "the limit 1001", "POST", "compare/items",
		`{`+states+`,"region":"us-east-1","table":"users","limit":1001}`)
	s.wantError(400, "from: the place", "POST", "compare/items",
		`{`+states+`,"region":"us-east-1","table":"users","from":"?"}`)
}

// TestCompareSharedData: all callers see the same tables, and a fork others.
func TestCompareSharedData(t *testing.T) {
	s := serve(t, emulator.WithSharedData())
	s.createTable("me")
	s.do("POST", "forks", `{"accessKey":"try"}`)
	require.NoError(t, s.put("try", "a"))
	s.want(200,
		`{"tables":[{"region":"","table":"users","before":true,"after":true,"added":1,"changed":0,"removed":0}]}`,
		"POST", "compare", `{"before":{"accessKey":"anybody"},"after":{"accessKey":"try"}}`)
}
