package servecmd

import (
	"crypto/rand"
	"io"
	"net/http"

	"github.com/spf13/pflag"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/console"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/version"
	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
	"github.com/kugiri-db/kugiri/emulator"
)

// consoleFlag names the flag of the console in a server.
const consoleFlag = "console"

// corsFlag is the name of the flag of CORS origins.
const corsFlag = "cors"

// serveConsole returns the options of a server with the console. They come before those of the
// admin API: the first route whose prefix fits answers, and that of the admin API fits the console,
// too.
func (s *serveSettings) serveConsole() []emulator.Option {
	if !s.admin.console {
		return nil
	}
	entities := s.entities()
	opts := []emulator.Option{emulator.WithRoute(
		console.Path, func(e *emulator.Emulator) http.Handler {
			return console.Handler(console.Local(e, version.This().Version, entities),
				s.admin.authorize)
		})}
	toConsole := http.RedirectHandler(console.Path, http.StatusFound)
	for _, path := range []string{"/_kugiri/console", "/shell"} { // DynamoDB Local's shell
		opts = append(opts,
			emulator.WithRoute(path, func(*emulator.Emulator) http.Handler { return toConsole }))
	}
	return opts
}

// entities returns the entities of the policy. loadPolicy reports what is wrong with the file.
func (s *serveSettings) entities() []console.Entity {
	p, err := policyfile.ParseFile(s.policy)
	if err != nil {
		return nil
	}
	return console.Entities(p)
}

// decideConsole turns the console on for a server that somebody starts at a terminal, unless the
// settings say otherwise or other machines reach it. Other machines need a token.
func (s *serveSettings) decideConsole(flags *pflag.FlagSet, stdout io.Writer) {
	if !flags.Changed(consoleFlag) {
		s.admin.console = terminal.Is(stdout) && endpoint.IsLocal(s.at.Host)
	}
	if s.admin.console && !endpoint.IsLocal(s.at.Host) && !s.admin.allowRemote &&
		s.admin.token == "" {
		s.admin.remoteToken = rand.Text()
	}
}

// decideOrigins allows all origins to a server in place of DynamoDB Local, which allows them,
// unless the settings say otherwise. Any other server is closed to pages of other origins: browsers
// let each page that somebody looks at send requests to this machine, and every access key is
// accepted.
func (s *serveSettings) decideOrigins(flags *pflag.FlagSet) {
	s.corsGiven = flags.Changed(corsFlag)
	if s.local && !s.corsGiven {
		s.cors = []string{"*"}
	}
}

// sayConsole prints where the console is.
func (s *serveSettings) sayConsole(out io.Writer, server string) {
	if !s.admin.console {
		return
	}
	cli.Say(out, terminal.StyleOf(out).Bold("kugiri:"), "console at",
		console.Address(server, s.admin.remoteToken))
}
