package kinesissink

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/kinesis"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEndpointsOfAWS: the URLs are those of the SDK's client of Kinesis.
func TestEndpointsOfAWS(t *testing.T) {
	for _, region := range []string{"us-east-1", "eu-central-1", "us-gov-west-1", "us-gov-east-1",
		"cn-north-1", "us-iso-east-1", "us-isob-east-1", "eusc-de-east-1", "xx-later-9"} {
		for _, fips := range []bool{false, true} {
			for _, dual := range []bool{false, true} {
				t.Run(fmt.Sprint(region, " fips ", fips, " dual ", dual), func(t *testing.T) {
					want, err := kinesis.NewDefaultEndpointResolverV2().ResolveEndpoint(t.Context(),
						kinesis.EndpointParameters{
							Region: &region, UseFIPS: &fips, UseDualStack: &dual,
						})
					t.Setenv("AWS_USE_FIPS_ENDPOINT", fmt.Sprint(fips))
					t.Setenv("AWS_USE_DUALSTACK_ENDPOINT", fmt.Sprint(dual))
					cfg, failed := config.LoadDefaultConfig(t.Context(),
						config.WithSharedConfigFiles([]string{}),
						config.WithSharedCredentialsFiles([]string{}))
					require.NoError(t, failed)
					got, failed := endpointsOfAWS(cfg)(t.Context(), region)
					if err != nil {
						assert.Error(t, failed)
						return
					}
					require.NoError(t, failed)
					assert.Equal(t, want.URI.String(), got)
				})
			}
		}
	}
}
