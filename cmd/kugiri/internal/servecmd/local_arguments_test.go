package servecmd

import (
	"io"
	"strings"
	"testing"

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
		{"a port", "-p 9000", "-p 9000"},
		{"a port without a blank", "-p9000", "-p9000"},
		{"the image's command", "-jar DynamoDBLocal.jar -inMemory", "serve --dynamodb-local"},
		{"the download's",
			"-Djava.library.path=./DynamoDBLocal_lib -jar DynamoDBLocal.jar -sharedDb",
			"serve --dynamodb-local --shared"},
		{"the library path behind",
			"-jar DynamoDBLocal.jar -inMemory -Djava.library.path=./DynamoDBLocal_lib",
			"serve --dynamodb-local"},
		{"Java's memory", "-Xmx256m -jar DynamoDBLocal.jar -inMemory", "serve --dynamodb-local"},
		{"only its options", "-inMemory -sharedDb -port 9000",
			"serve --dynamodb-local --shared --port=9000"},
		{"a port with an equal sign", "-port=9000", "serve --dynamodb-local --port=9000"},
		{"two dashes behind one", "-jar x --port 9000", "serve --dynamodb-local --port=9000"},
		{"origins", "-inMemory -cors http://a,http://b",
			"serve --dynamodb-local --cors=http://a,http://b"},
		{"all origins", "-inMemory -cors *", "serve --dynamodb-local --cors=*"},
		{"delays", "-inMemory -delayTransientStatuses", "serve --dynamodb-local --table-delay=5s"},
		{"a database", "-sharedDb -dbPath ./data",
			"serve --dynamodb-local --shared --data-dir=./data"},
		{"a database to optimize", "-dbPath /data -optimizeDbBeforeStartup",
			"serve --dynamodb-local --data-dir=/data"},
		{"telemetry", "-inMemory -disableTelemetry", "serve --dynamodb-local"},
		{"help", "-jar DynamoDBLocal.jar -help", "help dynamodb-local"},
		{"version", "-version", "version"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := TranslateLocal(strings.Fields(c.in), io.Discard)
			require.NoError(t, err)
			assert.Equal(t, strings.Fields(c.want), append([]string{}, got...))
		})
	}
}

func FuzzTranslated(f *testing.F) {
	f.Add("-jar DynamoDBLocal.jar -inMemory -port 8000")
	f.Add("-Dx -cors= -dbPath")
	f.Fuzz(func(t *testing.T, line string) {
		args, err := TranslateLocal(strings.Fields(line), io.Discard)
		if err == nil && isLocalForm(strings.Fields(line)) {
			require.Contains(t, []string{"serve", "version", "help"}, args[0])
		}
	})
}
