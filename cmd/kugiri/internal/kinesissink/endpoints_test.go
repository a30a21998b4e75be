package kinesissink

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/kinesis"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// configure has a test see no AWS configuration but the text of a file and some variables.
func configure(t *testing.T, file string, variables map[string]string) aws.Config {
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "AWS_") {
			t.Setenv(name, "") // which restores it afterwards
			require.NoError(t, os.Unsetenv(name))
		}
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "config"), []byte(file), 0o600))
	t.Setenv("AWS_CONFIG_FILE", filepath.Join(dir, "config"))
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", filepath.Join(dir, "none"))
	for name, value := range variables {
		t.Setenv(name, value)
	}
	cfg, err := config.LoadDefaultConfig(t.Context())
	require.NoError(t, err)
	return cfg
}

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
					cfg := configure(t, "", map[string]string{
						"AWS_USE_FIPS_ENDPOINT":      fmt.Sprint(fips),
						"AWS_USE_DUALSTACK_ENDPOINT": fmt.Sprint(dual),
					})
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

// TestConfiguredEndpoints: the environment and the files of the AWS configuration name an endpoint,
// as they do for the SDK's client of Kinesis.
func TestConfiguredEndpoints(t *testing.T) {
	const global, own = "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_KINESIS"
	const file = "[default]\nregion = us-east-1\nendpoint_url = http://all.of.file\nservices = x\n" +
		"[services x]\nkinesis =\n  endpoint_url = http://own.of.file\n"
	for name, c := range map[string]struct {
		env  map[string]string
		file string
	}{
		"nothing":             {},
		"all":                 {env: map[string]string{global: "http://all"}},
		"its own":             {env: map[string]string{own: "http://own"}},
		"both":                {env: map[string]string{global: "http://all", own: "http://own"}},
		"a file":              {file: file},
		"a file, and all":     {env: map[string]string{global: "http://all"}, file: file},
		"a file, and its own": {env: map[string]string{own: "http://own"}, file: file},
		"ignored": {
			env: map[string]string{"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "true"}, file: file,
		},
		"not ignored": {
			env: map[string]string{"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "false"}, file: file,
		},
		"ignored, its own": {
			env: map[string]string{"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "true", own: "http://own"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := configure(t, c.file, c.env)
			got, err := configured(t.Context(), cfg)
			require.NoError(t, err)
			assert.Equal(t, aws.ToString(kinesis.NewFromConfig(cfg).Options().BaseEndpoint), got)
		})
	}
}
