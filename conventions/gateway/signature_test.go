package gateway

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func FuzzAuthorization(f *testing.F) {
	f.Add("AWS4-HMAC-SHA256 Credential=AK/20260102/eu-west-3/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=0af")
	f.Add("AWS4-HMAC-SHA256 Credential=AK/20260102/eu-west-3/dynamodb/aws4_request,SignedHeaders=host,Signature=0")
	f.Add("AWS4-HMAC-SHA256 Credential=/////,=,")
	f.Fuzz(func(t *testing.T, value string) {
		s, ok := parseAuthorization([]string{value})
		if !ok {
			return
		}
		require.Contains(t, value, "="+s.accessKey+"/"+s.claim.Scope())
		require.False(t, strings.ContainsAny(s.accessKey+s.claim.Region, "/,"))
		require.NotEmpty(t, s.accessKey)
		require.NotEmpty(t, s.claim.Region)
	})
}
