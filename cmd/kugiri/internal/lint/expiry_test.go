package lint_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/lint"
)

// describing answers DescribeTimeToLive in place of the endpoint.
type describing struct {
	*dynamodb.Client
	status types.TimeToLiveStatus
	err    error
}

func (d describing) DescribeTimeToLive(context.Context, *dynamodb.DescribeTimeToLiveInput,
	...func(*dynamodb.Options)) (*dynamodb.DescribeTimeToLiveOutput, error) {
	return &dynamodb.DescribeTimeToLiveOutput{
		TimeToLiveDescription: &types.TimeToLiveDescription{TimeToLiveStatus: d.status},
	}, d.err
}

func TestExpiry(t *testing.T) {
	c := newClient(t)
	for _, x := range []struct {
		name   string
		table  string
		answer describing
		count  int64
		notes  []string
	}{
		{"enabled", "documents", describing{status: types.TimeToLiveStatusEnabled}, 1, nil},
		{"being enabled", "documents", describing{status: types.TimeToLiveStatusEnabling}, 1, nil},
		{"disabled", "documents", describing{status: types.TimeToLiveStatusDisabled}, 0, nil},
		{"being disabled", "documents", describing{status: types.TimeToLiveStatusDisabling}, 0,
			nil},
		{"enabled for data", "data", describing{status: types.TimeToLiveStatusEnabled}, 0, nil},
		{"refused", "documents",
			describing{err: &smithy.GenericAPIError{Code: "AccessDeniedException", Message: "no"}},
			0,
			[]string{"documents: the endpoint does not say whether TTL is enabled (AccessDeniedException: no)"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			x.answer.Client = c
			r, err := (&lint.Linter{
				Client: x.answer, Policy: engine(t), Tables: []string{x.table},
			}).Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, x.count, seen(r)["enforce history-expiry "+x.table+"  "])
			assert.Equal(t, x.notes, r.Notes)
		})
	}
	_, err := (&lint.Linter{
		Client: describing{Client: c, err: errBroken}, Policy: engine(t),
		Tables: []string{"documents"},
	}).Run(t.Context())
	require.ErrorIs(t, err, errBroken)
}

// TestExpiryOfTheEndpoint asks a real endpoint, and writes the finding, which is of no key.
func TestExpiryOfTheEndpoint(t *testing.T) {
	c := newClient(t)
	_, err := c.UpdateTimeToLive(
		t.Context(), &dynamodb.UpdateTimeToLiveInput{TableName: aws.String("documents"),
			TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String(
				"ttl"),
				Enabled: aws.Bool(true)}})
	require.NoError(t, err)
	r, err := (&lint.Linter{Client: c, Policy: engine(t), Tables: []string{"documents"}}).Run(
		t.Context())
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, r.Write(&b, "text", "", false))
	assert.Contains(t, b.String(), "enforce history-expiry: 1 in documents\n")
	assert.Contains(t, b.String(), "\n  - TTL would delete ")
	validSARIF(t, r)
}
