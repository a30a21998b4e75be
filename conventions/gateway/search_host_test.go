package gateway

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSearchHost: the hosts are those of the endpoint rules of the AWS SDK for Go, v1.73.0.
func TestSearchHost(t *testing.T) {
	for host, want := range map[string]string{
		"dynamodb.us-east-1.amazonaws.com":                 "search-dynamodb.us-east-1.amazonaws.com",
		"dynamodb-fips.us-east-1.amazonaws.com":            "search-dynamodb-fips.us-east-1.amazonaws.com",
		"dynamodb.us-east-1.api.aws":                       "search-dynamodb.us-east-1.api.aws",
		"dynamodb.cn-north-1.amazonaws.com.cn":             "search-dynamodb.cn-north-1.amazonaws.com.cn",
		"dynamodb.cn-north-1.api.amazonwebservices.com.cn": "search-dynamodb.cn-north-1.api.amazonwebservices.com.cn",
		"111111111111.ddb.us-east-1.amazonaws.com":         "111111111111.search-ddb.us-east-1.amazonaws.com",
		"111111111111.ddb.us-east-1.api.aws":               "111111111111.search-ddb.us-east-1.api.aws",
		"search-dynamodb.us-east-1.amazonaws.com":          "search-dynamodb.us-east-1.amazonaws.com",
		"localhost:8000":                                   "localhost:8000",
		"dynamodb.example.com":                             "dynamodb.example.com",
		"vpce-1a2b.dynamodb.us-east-1.vpce.amazonaws.com":  "vpce-1a2b.dynamodb.us-east-1.vpce.amazonaws.com",
	} {
		require.Equal(t, want, searchHost(host), host)
	}
}
