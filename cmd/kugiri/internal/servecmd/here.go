package servecmd

import (
	"io"
	"net"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/settings"
)

// Here is the URL of a server with these arguments and environment, on this machine.
func Here(args []string, e settings.Environment, program *cobra.Command) string {
	var s serveSettings
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	s.register(flags)
	args, err := TranslateLocal(args, io.Discard)
	if err != nil || flags.Parse(args) != nil || s.load(flags, e, program) != nil {
		return "http://127.0.0.1:8000" // the server has said what is wrong
	}
	host, scheme := s.at.Host, "http"
	if ip := net.ParseIP(host); host == "" || host == "localhost" || ip != nil &&
		ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	if s.tls.on() {
		scheme = "https"
	}
	return scheme + "://" + net.JoinHostPort(host, strconv.Itoa(s.at.Port))
}
