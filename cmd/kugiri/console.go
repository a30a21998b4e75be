package main

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/console"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/listen"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/logs"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/remote"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/version"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/admin"
)

// consoleSettings hold the flags of a console by itself.
type consoleSettings struct {
	endpoint   endpoint.Endpoint
	at         listen.Address
	adminToken string
}

func consoleCommand() *cobra.Command {
	var s consoleSettings
	c := &cobra.Command{
		Use:   "console --endpoint URL",
		Short: "Serve the console for any DynamoDB endpoint",
		Long: `Serves a page for browsers on this machine that shows the tables of an endpoint, until SIGINT or
SIGTERM. It signs the page's requests with the credentials of the environment, as the AWS CLI finds
them. The page reads only, until its switch for writing is turned on. The address that is printed
has a token, so that no other user of this machine has your permissions.

"kugiri serve --console" serves the page of a server of its own.`,
		Example: "  kugiri console --endpoint aws --region eu-central-1\n  kugiri console --endpoint http://localhost:8000",
		Args:    cli.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := s.at.Check(); err != nil {
				return cli.WithHelp(c, err)
			}
			return s.run(c)
		},
	}
	s.endpoint.Flags(c)
	cli.AddGroup(c.Flags(), "Server", func(f *pflag.FlagSet) {
		s.at.Register(f, 8080)
		f.StringVar(&s.adminToken, "admin-token", "",
			"`token` of the admin API of the endpoint, if that is Kugiri")
	})
	return c
}

func (s *consoleSettings) run(c *cobra.Command) error {
	if !endpoint.IsLocal(s.at.Host) {
		return errors.New(
			"host: the console signs with your credentials, so it answers this machine only: want localhost or 127.0.0.1")
	}
	token := rand.Text()
	handler, err := s.handler(c.Context(), token)
	if err != nil {
		return err
	}
	l, err := s.at.Listen()
	if err != nil {
		return err
	}
	out := c.OutOrStdout()
	cli.Say(out, terminal.StyleOf(out).Bold("kugiri:"), "console at",
		console.Address("http://"+listen.Reachable(l.Addr()), token))
	logger, flush := logs.ForClients().Open(c.ErrOrStderr())
	defer flush()
	return listen.ServeUntil(c.Context(), l,
		listen.NewServer(emulator.AllowHosts(handler), logger), out)
}

// pageOf is an endpoint as the page shows it, which asks before it writes.
func pageOf(e *remote.Endpoint) *console.Remote {
	return &console.Remote{
		About: console.Session{
			Endpoint: e.Base, Region: e.Region, Choice: e.ForTests, ReadOnly: true,
			Version: version.This().Version,
		},
		Client: e.Client, Credentials: e.Credentials, URL: e.URL, Now: time.Now,
	}
}

// handler serves the console, and the admin API of an endpoint with a URL, to those with the token.
func (s *consoleSettings) handler(ctx context.Context, token string) (http.Handler, error) {
	client, err := s.endpoint.Client(ctx)
	if err != nil {
		return nil, err
	}
	remote := pageOf(remote.Of(client))
	if remote.About.Choice { // the page asks for plans by the access key
		k, err := remote.Credentials(ctx)
		if err != nil {
			return nil, err
		}
		remote.About.AccessKey = k.AccessKey
	}
	guard := func(next http.Handler) http.Handler {
		return admin.Authorize(admin.Options{OwnPages: true, Token: token}, next)
	}
	m := http.NewServeMux()
	m.Handle(console.Path, console.Handler(remote, guard))
	m.Handle("/{$}", http.RedirectHandler(console.Path, http.StatusFound))
	if remote.About.Endpoint != "" {
		api, err := remote.Admin(s.adminToken)
		if err != nil {
			return nil, err
		}
		m.Handle(admin.Prefix, guard(api))
	}
	return m, nil
}
