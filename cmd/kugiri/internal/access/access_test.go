package access

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/emulator"
)

// fileWith is a file with a text, until the test ends.
func fileWith(t *testing.T, name, text string) string {
	file := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

func TestReadCredentials(t *testing.T) {
	want := map[string]emulator.Secret{
		"AKID": {Key: "se/cret+="}, "ASIA": {Key: "s2", SessionToken: "tok"},
	}
	for _, c := range []struct{ name, file, text string }{
		{"lines", "c", "# ours\nAKID se/cret+=\n\n  ASIA\ts2 tok\r\n"},
		{"YAML", "c.yaml",
			"AKID: {secret: se/cret+=}\nASIA:\n  secret: s2\n  session-token: tok\n"},
		{"JSON", "c.json",
			`{"AKID":{"secret":"se/cret+="},"ASIA":{"secret":"s2","session-token":"tok"}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := ReadCredentials(fileWith(t, c.file, c.text))
			require.NoError(t, err)
			assert.Equal(t, want, got)
		})
	}
}

func TestReadCredentialsErrors(t *testing.T) {
	for _, c := range []struct{ name, file, text, says string }{
		{"nothing", "c", "# nothing\n", "there are none"},
		{"no secret", "c", "A hidden\nAKID\n", "line 2: want ACCESSKEY"},
		{"too much", "c", "A hidden c d", "line 1: want ACCESSKEY"},
		{"twice", "c", "A hidden\nA hidden", `line 2: access key "A" is there twice`},
		{"a key that is none", "c", "A/B hidden", `"A/B" is no access key`},
		{"no secret in YAML", "c.yaml", "A: {session-token: hidden}",
			`access key "A" has no secret`},
		{"an unknown member", "c.yaml", "A: {secret: hidden, expires: 1}", "no other members"},
		{"no mapping", "c.yaml", "- hidden", "no other members"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ReadCredentials(fileWith(t, c.file, c.text))
			assert.ErrorContains(t, err, c.says)
			assert.NotContains(t, err.Error(), "hidden")
		})
	}
	_, err := ReadCredentials("/nowhere/x")
	assert.ErrorContains(t, err, "/nowhere/x")
}

func FuzzCredentials(f *testing.F) {
	f.Add("AKID secret token\n# x")
	f.Add("AKID: {secret: x}")
	f.Fuzz(func(t *testing.T, text string) {
		for _, parse := range []func(string) (map[string]emulator.Secret,
			error){parseCredentialLines, parseCredentialYAML} {
			secrets, err := parse(text)
			if err != nil {
				continue
			}
			for key, s := range secrets {
				require.NotEmpty(t, key)
				require.NotEmpty(t, s.Key)
			}
		}
	})
}
