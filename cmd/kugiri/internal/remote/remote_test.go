package remote

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/catalog"
)

// TestURLsOfAWS compares the addresses of services with those that their SDKs know.
func TestURLsOfAWS(t *testing.T) {
	for _, region := range []string{"us-east-1", "eu-central-1", "ap-northeast-1", "il-central-1",
		"cn-north-1", "cn-northwest-1",
		"us-gov-west-1", "us-gov-east-1", "us-iso-east-1", "us-isob-east-1", "eu-isoe-west-1",
		"us-isof-south-1", "eusc-de-east-1",
		"xx-new-1"} {
		t.Run(region, func(t *testing.T) {
			tables, err := dynamodb.NewDefaultEndpointResolverV2().ResolveEndpoint(t.Context(),
				dynamodb.EndpointParameters{Region: &region})
			require.NoError(t, err)
			own, err := awsURL(t.Context(), catalog.DynamoDB, region)
			require.NoError(t, err)
			assert.Equal(t, tables.URI.String(), own)
			streams, err := dynamodbstreams.NewDefaultEndpointResolverV2().ResolveEndpoint(
				t.Context(), dynamodbstreams.EndpointParameters{Region: &region})
			require.NoError(t, err)
			own, err = awsURL(t.Context(), catalog.Streams, region)
			require.NoError(t, err)
			assert.Equal(t, streams.URI.String(), own)
		})
	}
}

// TestRegionsOfPagesLeadToAWS: a page of the console names the region, which is a part of the host.
// "local" is this machine to the SDK.
func TestRegionsOfPagesLeadToAWS(t *testing.T) {
	for _, region := range []string{"local", "", "evil.example/", "us-east-1_x", "169"} {
		for _, s := range []catalog.Service{catalog.DynamoDB, catalog.Streams} {
			_, err := awsURL(t.Context(), s, region)
			assert.ErrorContains(t, err, "is no region of AWS", region)
		}
	}
}
