package main

import (
	"io"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTranslated: Developer Guide, "DynamoDB local usage notes" and "Setting up DynamoDB local".
func TestTranslated(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"kugiri's own", "serve --port 1", "serve --port 1"},
		{"kugiri's own, without a command", "--port 1", "--port 1"},
		{"nothing", "", ""},
		{"short help", "-h", "-h"},
		{"the image's command", "-jar DynamoDBLocal.jar -inMemory", "serve"},
		{"the download's", "-Djava.library.path=./DynamoDBLocal_lib -jar DynamoDBLocal.jar -sharedDb", "serve --shared"},
		{"the library path behind", "-jar DynamoDBLocal.jar -inMemory -Djava.library.path=./DynamoDBLocal_lib", "serve"},
		{"Java's memory", "-Xmx256m -jar DynamoDBLocal.jar -inMemory", "serve"},
		{"only its options", "-inMemory -sharedDb -port 9000", "serve --shared --port=9000"},
		{"a port with an equal sign", "-port=9000", "serve --port=9000"},
		{"two dashes behind one", "-jar x --port 9000", "serve --port=9000"},
		{"origins", "-inMemory -cors http://a,http://b", "serve --cors=http://a,http://b"},
		{"all origins", "-inMemory -cors *", "serve --cors=*"},
		{"delays", "-inMemory -delayTransientStatuses", "serve --table-delay=5s"},
		{"telemetry", "-inMemory -disableTelemetry", "serve"},
		{"help", "-jar DynamoDBLocal.jar -help", "serve --help"},
		{"version", "-version", "version"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := translated(strings.Fields(c.in), io.Discard)
			require.NoError(t, err)
			assert.Equal(t, strings.Fields(c.want), append([]string{}, got...))
		})
	}
}

func TestTranslatedErrors(t *testing.T) {
	for _, c := range []struct{ name, in, says string }{
		{"both places", "-inMemory -dbPath /data", "-dbPath and -inMemory cannot both be given"},
		{"nothing to optimize", "-sharedDb -optimizeDbBeforeStartup", "-optimizeDbBeforeStartup needs -dbPath"},
		{"an unknown option", "-inMemory -fly", `unknown option "-fly"`},
		{"an unknown argument", "-inMemory fly", `unknown argument "fly"`},
		{"no port", "-inMemory -port", "-port needs a value"},
		{"a port that is none", "-inMemory -port x", "port"},
		{"a value for a switch", "-inMemory=true", `unknown option "-inMemory=true"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := runs(t, strings.Fields(c.in)...)
			assert.ErrorContains(t, err, c.says)
		})
	}
}

// TestDBPath: tables are kept, or the option is refused, but never ignored.
func TestDBPath(t *testing.T) {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	new(serveSettings).register(flags)
	got, err := translated([]string{"-sharedDb", "-dbPath", "./data"}, io.Discard)
	if flags.Lookup("data-dir") == nil {
		assert.ErrorContains(t, err, "in memory only")
		return
	}
	require.NoError(t, err)
	assert.Equal(t, []string{"serve", "--shared", "--data-dir=./data"}, got)
}

func FuzzTranslated(f *testing.F) {
	f.Add("-jar DynamoDBLocal.jar -inMemory -port 8000")
	f.Add("-Dx -cors= -dbPath")
	f.Fuzz(func(t *testing.T, line string) {
		args, err := translated(strings.Fields(line), io.Discard)
		if err == nil && isLocalForm(strings.Fields(line)) {
			require.Contains(t, []string{"serve", "version"}, args[0])
		}
	})
}

func TestServerHere(t *testing.T) {
	for _, c := range []struct {
		name, args, want string
		env              map[string]string
	}{
		{"nothing", "", "http://127.0.0.1:8000", nil},
		{"a port", "serve --host 0.0.0.0 --port 9000", "http://127.0.0.1:9000", nil},
		{"DynamoDB Local's port", "-jar DynamoDBLocal.jar -inMemory -port 9000", "http://127.0.0.1:9000", nil},
		{"a host", "serve --host ::1", "http://[::1]:8000", nil},
		{"the environment", "serve", "https://127.0.0.1:9000", map[string]string{"KUGIRI_PORT": "9000", "KUGIRI_TLS_SELF_SIGNED": "true"}},
		{"nonsense", "serve --fly", "http://127.0.0.1:8000", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := serverHere(strings.Fields(c.args), func(name string) (string, bool) { v, ok := c.env[name]; return v, ok })
			assert.Equal(t, c.want, got)
		})
	}
}
