package s3store

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPlacesOfAWS: the URLs are those of the SDK's client of S3.
func TestPlacesOfAWS(t *testing.T) {
	sdk := s3.NewDefaultEndpointResolverV2()
	for _, region := range []string{"us-east-1", "us-gov-west-1", "cn-north-1", "us-iso-east-1",
		"eusc-de-east-1", "xx-later-9"} {
		for _, form := range [][2]bool{{}, {true, false}, {false, true}, {true, true}} {
			fips, dual := form[0], form[1]
			t.Run(fmt.Sprint(region, " fips ", fips, " dual ", dual), func(t *testing.T) {
				t.Setenv("AWS_USE_FIPS_ENDPOINT", fmt.Sprint(fips))
				t.Setenv("AWS_USE_DUALSTACK_ENDPOINT", fmt.Sprint(dual))
				cfg := configOf(t, region)
				for _, of := range []string{"my-bucket", "my.bucket", "MyBucket", "ab", "a-"} {
					want, err := sdk.ResolveEndpoint(t.Context(), s3.EndpointParameters{
						Bucket: &of, Region: &region, UseFIPS: &fips, UseDualStack: &dual})
					if err != nil {
						continue // the SDK refuses what S3 does not have
					}
					at, err := placeOf(t.Context(), cfg, "")
					require.NoError(t, err)
					assert.Equal(t, want.URI.JoinPath("k").String(), at.of(of, "k").String())
				}
			})
		}
	}
}

// configOf reads the AWS configuration of the environment alone.
func configOf(t *testing.T, region string) aws.Config {
	cfg, err := config.LoadDefaultConfig(t.Context(), config.WithRegion(region),
		config.WithSharedConfigFiles([]string{}), config.WithSharedCredentialsFiles([]string{}))
	require.NoError(t, err)
	return cfg
}

// TestConfiguredPlaces: an endpoint that is not S3 itself has its buckets in paths.
func TestConfiguredPlaces(t *testing.T) {
	for at, want := range map[string]string{
		"http://localhost:9000":    "http://localhost:9000/b/a%20b/c",
		"http://localhost:9000/":   "http://localhost:9000/b/a%20b/c",
		"https://x.example/s3":     "https://x.example/s3/b/a%20b/c",
		"https://x.example/a%20b/": "https://x.example/a%20b/b/a%20b/c",
		"":                         "http://configured.example/b/a%20b/c",
	} {
		t.Run(at, func(t *testing.T) {
			t.Setenv("AWS_ENDPOINT_URL_S3", "http://configured.example")
			got, err := placeOf(t.Context(), configOf(t, "us-east-1"), at)
			require.NoError(t, err)
			assert.Equal(t, want, got.of("b", "a b/c").String())
		})
	}
	_, err := placeOf(t.Context(), aws.Config{}, "localhost")
	assert.ErrorContains(t, err, `"localhost" is not a URL`)
}
