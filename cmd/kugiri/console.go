package main

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/console"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
	"github.com/kugiri-db/kugiri/conventions/sigv4"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/admin"
)

// consoleFlag names the flag of the console in a server.
const consoleFlag = "console"

// serveConsole returns the options of a server with the console. They come before those of the
// admin API: the first route whose prefix fits answers, and that of the admin API fits the console,
// too.
func (s *serveSettings) serveConsole() []emulator.Option {
	if !s.admin.console {
		return nil
	}
	entities := s.entities()
	opts := []emulator.Option{emulator.WithRoute(console.Path, func(e *emulator.Emulator) http.Handler {
		return console.Handler(console.Local(e, thisBuild().Version, entities), s.admin.guard)
	})}
	toConsole := http.RedirectHandler(console.Path, http.StatusFound)
	for _, path := range []string{"/_kugiri/console", "/shell"} { // DynamoDB Local's shell
		opts = append(opts, emulator.WithRoute(path, func(*emulator.Emulator) http.Handler { return toConsole }))
	}
	return opts
}

// entities returns the entities of the policy. loadPolicy reports what is wrong with the file.
func (s *serveSettings) entities() []console.Entity {
	text, err := os.ReadFile(s.policy)
	if err != nil {
		return nil
	}
	p, err := policyfile.Parse(text)
	if err != nil {
		return nil
	}
	return console.Entities(p)
}

// decideConsole turns the console on for a server that somebody starts at a terminal, unless the
// settings say otherwise or other machines reach it. Other machines need a token.
func (s *serveSettings) decideConsole(flags *pflag.FlagSet, stdout io.Writer) {
	if !flags.Changed(consoleFlag) {
		s.admin.console = terminal.Is(stdout) && isLocal(s.at.host)
	}
	if s.admin.console && !isLocal(s.at.host) && !s.admin.allowRemote && s.admin.token == "" {
		s.admin.remoteToken = rand.Text()
	}
}

// sayConsole prints where the console is.
func (s *serveSettings) sayConsole(out io.Writer, server string) {
	if !s.admin.console {
		return
	}
	say(out, terminal.StyleOf(out).Bold("kugiri:"), "console at", server+console.Path+tokenFragment(s.admin.remoteToken))
}

// tokenFragment returns the end of an address from which the page takes its token, "" for no token.
func tokenFragment(token string) string {
	if token == "" {
		return ""
	}
	return "#token=" + token
}

// consoleSettings hold the flags of a console by itself.
type consoleSettings struct {
	endpoint   endpoint
	at         listenAddress
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
		Args:    noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := s.at.check(); err != nil {
				return withHelp(c, err)
			}
			return s.run(c)
		},
	}
	s.endpoint.flags(c)
	addGroup(c.Flags(), "Server", func(f *pflag.FlagSet) {
		s.at.register(f, 8080)
		f.StringVar(&s.adminToken, "admin-token", "", "`token` of the admin API of the endpoint, if that is Kugiri")
	})
	return c
}

func (s *consoleSettings) run(c *cobra.Command) error {
	if !isLocal(s.at.host) {
		return errors.New("host: the console signs with your credentials, so it answers this machine only: want localhost or 127.0.0.1")
	}
	token := rand.Text()
	handler, err := s.handler(c.Context(), token)
	if err != nil {
		return err
	}
	l, err := s.at.listen()
	if err != nil {
		return err
	}
	out := c.OutOrStdout()
	say(out, terminal.StyleOf(out).Bold("kugiri:"), "console at", "http://"+reachable(l.Addr())+console.Path+tokenFragment(token))
	logger, flush := clientLogs().open(c.ErrOrStderr())
	defer flush()
	return serveUntil(c.Context(), l, newHTTPServer(emulator.AllowHosts(handler), logger))
}

// handler serves the console, and the admin API of an endpoint with a URL, to those with the token.
func (s *consoleSettings) handler(ctx context.Context, token string) (http.Handler, error) {
	client, err := s.endpoint.client(ctx)
	if err != nil {
		return nil, err
	}
	remote := remoteOf(client)
	if remote.About.Choice { // the page asks for plans by the access key
		k, err := remote.Credentials(ctx)
		if err != nil {
			return nil, err
		}
		remote.About.AccessKey = k.AccessKey
	}
	guard := func(next http.Handler) http.Handler {
		return admin.Guard(admin.Options{OwnPages: true, Token: token}, next)
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

// remoteOf returns the endpoint of a client. A test server takes any access key.
func remoteOf(client *dynamodb.Client) *console.Remote {
	o := client.Options()
	base := aws.ToString(o.BaseEndpoint)
	host := ""
	if u, err := url.Parse(base); err == nil {
		host = u.Hostname()
	}
	return &console.Remote{
		About: console.Session{
			Endpoint: base, Region: o.Region, Choice: base != "" && forTests(host), ReadOnly: true, Version: thisBuild().Version,
		},
		Client: &http.Client{Timeout: time.Minute},
		Credentials: func(ctx context.Context) (sigv4.Credentials, error) {
			k, err := o.Credentials.Retrieve(ctx)
			return sigv4.Credentials{AccessKey: k.AccessKeyID, Secret: k.SecretAccessKey, SessionToken: k.SessionToken}, err
		},
		URL: func(ctx context.Context, service catalog.Service, region string) (string, error) {
			if base != "" {
				return base, nil
			}
			return awsURL(ctx, service, region)
		},
		Now: time.Now,
	}
}

// awsURL returns the URL of a service of AWS in a region. That of streams differs from DynamoDB's by
// the beginning of its host.
func awsURL(ctx context.Context, service catalog.Service, region string) (string, error) {
	at, err := dynamodb.NewDefaultEndpointResolverV2().ResolveEndpoint(ctx, dynamodb.EndpointParameters{Region: &region})
	if err == nil && service == catalog.Streams && strings.HasPrefix(at.URI.Host, "dynamodb.") {
		at.URI.Host = "streams." + at.URI.Host
	}
	return at.URI.String(), err
}
