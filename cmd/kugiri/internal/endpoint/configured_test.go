package endpoint

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/kinesis"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// configure has a test see no AWS configuration but the text of a file and some variables.
func configure(t *testing.T, file string, variables map[string]string) aws.Config {
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "AWS_") {
			t.Setenv(name, "") // Setenv restores it afterwards
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

// TestConfigured: the environment and the files of the AWS configuration name an endpoint, as they
// do for the SDK's clients.
func TestConfigured(t *testing.T) {
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
			got, err := Configured(t.Context(), cfg, "Kinesis")
			require.NoError(t, err)
			assert.Equal(t, aws.ToString(kinesis.NewFromConfig(cfg).Options().BaseEndpoint), got)
			got, err = Configured(t.Context(), cfg, "S3")
			require.NoError(t, err)
			assert.Equal(t, aws.ToString(s3.NewFromConfig(cfg).Options().BaseEndpoint), got)
		})
	}
}
