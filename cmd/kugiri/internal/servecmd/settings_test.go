package servecmd

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// programWithGateway is a program with another command that has settings.
func programWithGateway() *cobra.Command {
	program, gateway := new(cobra.Command), &cobra.Command{Use: "gateway"}
	gateway.Flags().String("endpoint", "", "")
	program.AddCommand(gateway)
	return program
}

// loaded are the settings of a command line, an environment and a config file ("" for none).
func loaded(t *testing.T, args []string, env map[string]string, file string) (serveSettings,
	error) {
	if file != "" {
		path := filepath.Join(t.TempDir(), "kugiri.yaml")
		require.NoError(t, os.WriteFile(path, []byte(file), 0o600))
		args = append([]string{"--config", path}, args...)
	}
	var s serveSettings
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	s.register(flags)
	require.NoError(t, flags.Parse(args))
	err := s.load(flags, env, programWithGateway())
	return s, err
}

func TestSettings(t *testing.T) {
	standard, err := loaded(t, nil, nil, "")
	require.NoError(t, err)
	require.Equal(t, 8000, standard.at.Port)
	with := func(change func(*serveSettings)) serveSettings {
		s := standard
		change(&s)
		return s
	}
	port := func(n int) serveSettings { return with(func(s *serveSettings) { s.at.Port = n }) }
	for _, c := range []struct {
		name string
		args []string
		env  map[string]string
		file string
		want serveSettings
	}{
		{"a flag", []string{"--port", "1"}, nil, "", port(1)},
		{"a variable", nil, map[string]string{"KUGIRI_PORT": "2"}, "", port(2)},
		{"a file", nil, nil, "port: 3", port(3)},
		{"empty variables", nil, map[string]string{"KUGIRI_SHARED": "", "KUGIRI_PORT": ""},
			"port: 3", port(3)},
		{"a flag before a variable", []string{"--port=1"}, map[string]string{"KUGIRI_PORT": "2"},
			"", port(1)},
		{"a flag before a file", []string{"--port=1"}, nil, "port: 3", port(1)},
		{"a variable before a file", nil, map[string]string{"KUGIRI_PORT": "2"}, "port: 3",
			port(2)},
		{"a flag that says the default", []string{"--port=8000"},
			map[string]string{"KUGIRI_PORT": "2"}, "port: 3", standard},
		{"each from another place", []string{"--port=1"},
			map[string]string{"KUGIRI_TABLE_DELAY": "5s"}, "shared: true\nhost: ::1\n",
			with(func(s *serveSettings) {
				s.at.Port, s.tableDelay, s.shared, s.at.Host = 1, 5*time.Second, true, "::1"
			})},
		{"other variables", nil, map[string]string{"PORT": "3", "KUGIRI": "4"}, "", standard},
		{"a variable of the gateway", nil, map[string]string{"KUGIRI_ENDPOINT": "http://x"}, "",
			standard},
		{"a variable of tests", nil, map[string]string{"KUGIRI_UPDATE": "1"}, "", standard},
		{"the variable of the binary", nil, map[string]string{"KUGIRI_BINARY": "/bin/kugiri"}, "",
			standard},
		{"the variables of a test that explores", nil, map[string]string{
			"KUGIRI_EXPLORE": "alice,bob", "KUGIRI_EXPLORE_PAGES": "pages"}, "", standard},
		{"the variables of the npm package", nil,
			map[string]string{"KUGIRI_NODE": "/bin/node", "KUGIRI_PACKAGE": "/kugiri"}, "",
			standard},
		{"variables of Kubernetes",
			nil, map[string]string{"KUGIRI_SERVICE_HOST": "10.0.0.11",
				"KUGIRI_SERVICE_PORT": "8000", "KUGIRI_SERVICE_PORT_HTTP": "8000",
				"KUGIRI_PORT_8000_TCP":      "tcp://10.0.0.11:8000",
				"KUGIRI_PORT_8000_TCP_ADDR": "10.0.0.11", "KUGIRI_DEV_SERVICE_HOST": "10.0.0.12"},
			"", standard},
		{"a variable of Kubernetes", nil, map[string]string{"KUGIRI_PORT": "tcp://10.0.0.11:8000"},
			"", standard},
		{"an empty file", nil, nil, "# nothing\n", standard},
		{"JSON", nil, nil, "{\n\t\"port\": 3,\n\t\"shared\": true\n}\n",
			with(func(s *serveSettings) { s.at.Port, s.shared = 3, true })},
		{"an account with leading zeros", nil, nil, "account: 000000000012",
			with(func(s *serveSettings) { s.account = "000000000012" })},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := loaded(t, c.args, c.env, c.file)
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
}

func TestSettingsErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		env  map[string]string
		file string
		says string
	}{
		{"a variable of the wrong type", map[string]string{"KUGIRI_PORT": "x"}, "",
			`$KUGIRI_PORT is "x": want a whole number`},
		{"a variable that is out of range", map[string]string{"KUGIRI_PORT": "-1"}, "",
			"0 to 65535"},
		{"an unknown variable", map[string]string{"KUGIRI_PROT": "1"}, "",
			"there is no setting $KUGIRI_PROT: did you mean $KUGIRI_PORT?"},
		{"a variable like no other", map[string]string{"KUGIRI_NOPE": "1"}, "",
			"there is no setting $KUGIRI_NOPE"},
		{"two unknown variables", map[string]string{"KUGIRI_FOO": "1", "KUGIRI_QUX": "1"}, "",
			"there is no setting $KUGIRI_FOO\nthere is no setting $KUGIRI_QUX"},
		{"a word that is none of those there are", map[string]string{"KUGIRI_LOG_LEVEL": "loud"},
			"", `$KUGIRI_LOG_LEVEL is "loud": want debug, info, warn or error`},
		{"an unknown key", nil, "shared: true\nprot: 1",
			`kugiri.yaml:2: there is no setting "prot": did you mean port?`},
		{"a config file in a config file", nil, "config: x",
			`kugiri.yaml:1: there is no setting "config"`},
		{"help in a config file", nil, "help: true", `there is no setting "help"`},
		{"a key twice", nil, "port: 1\nport: 2", `kugiri.yaml:2: "port" is set in line 1 already`},
		{"a value of the wrong type", nil, "\nport: x",
			`kugiri.yaml:2: port: "x": want a whole number`},
		{"a list", nil, "port: [1]", "kugiri.yaml:1: port: want a plain value"},
		{"nothing", nil, "port:", "kugiri.yaml:1: port: want a plain value"},
		{"no mapping", nil, "- port", "kugiri.yaml:1: want lines like"},
		{"no YAML", nil, "port: [", "kugiri.yaml: yaml: line"},
		{"a file that is not there", map[string]string{"KUGIRI_CONFIG": "/nowhere/x"}, "",
			"there is no config file /nowhere/x"},
		{"a directory", map[string]string{"KUGIRI_CONFIG": "/"}, "", "config file: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := loaded(t, nil, c.env, c.file)
			assert.ErrorContains(t, err, c.says)
		})
	}
}
