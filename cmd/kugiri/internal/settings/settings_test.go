package settings

import (
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

func FuzzConfigFile(f *testing.F) {
	f.Add("port: 3\nshared: true")
	f.Add("{\"port\": 3}")
	f.Add("port: &a 3\nhost: *a")
	f.Add("? [port]\n: 1")
	f.Add("<<: {port: 1}")
	f.Fuzz(func(t *testing.T, text string) {
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		flags.Int("port", 8000, "")
		flags.String("host", "localhost", "")
		flags.Bool("shared", false, "")
		flags.Duration("table-delay", 0, "")
		flags.StringSlice("cors", nil, "")
		if err := fillFromText(flags, map[string]bool{}, "f.yaml", []byte(text)); err != nil {
			require.ErrorContains(t, err, "f.yaml")
		}
	})
}
