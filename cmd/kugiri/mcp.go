package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/agent"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/console"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/forks"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/listen"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/logs"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/remote"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/version"
	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/emulator/proof"
)

// mcpSettings hold the flags of mcp.
type mcpSettings struct {
	endpoint.Endpoint
	at         listen.Address
	http       bool
	token      string
	adminToken string
	writes     cli.Choice
}

func mcpCommand() *cobra.Command {
	var s mcpSettings
	c := &cobra.Command{
		Use:   "mcp",
		Short: "Offer the tables of an endpoint to agents, by the Model Context Protocol",
		Long: `Serves tools for agents over the standard input and output, or over HTTP: to read tables, and to plan
and prove designs. If the endpoint is Kugiri with --admin, there are also plans of requests, forks, snapshots, the clock
and faults. Agents read only, unless --write allows more: "forks" lets them change forks, which nobody else sees.`,
		Example: "  kugiri mcp --endpoint http://localhost:8000 --write forks\n" +
			"  claude mcp add kugiri -- kugiri mcp --endpoint http://localhost:8000\n" +
			"  kugiri mcp --http --port 8081 --token \"$TOKEN\"",
		Args: cli.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := s.at.Check(); err != nil {
				return cli.WithHelp(c, err)
			}
			return s.run(c)
		},
	}
	s.Endpoint.Flags(c)
	s.writes.Register(c.Flags(), "write", string(agent.None), "`what` agents may change",
		string(agent.None), string(agent.Forks), string(agent.All))
	c.Flags().StringVar(&s.adminToken, "admin-token", "",
		"`token` of the admin API of the endpoint, if that is Kugiri")
	cli.AddGroup(c.Flags(), "HTTP", func(f *pflag.FlagSet) {
		f.BoolVar(&s.http, "http", false,
			"serve over HTTP, in place of the standard input and output")
		s.at.Register(f, 8081)
		f.StringVar(&s.token, "token", "",
			"`token` that requests over HTTP must have: Authorization: Bearer TOKEN (default one that is made up and printed)")
	})
	return c
}

func (s *mcpSettings) run(c *cobra.Command) error {
	ctx := c.Context()
	e, err := s.connect(ctx)
	if err != nil {
		return err
	}
	server := agent.New(e, agent.Writes(s.writes.Value), version.This().Version)
	if !s.http {
		return agent.Serve(ctx, server, c.InOrStdin(), c.OutOrStdout())
	}
	return s.serve(c, server)
}

// serve serves over HTTP.
func (s *mcpSettings) serve(c *cobra.Command, server *mcp.Server) error {
	l, err := s.at.Listen()
	if err != nil {
		return err
	}
	bold := terminal.StyleOf(c.OutOrStdout()).Bold("kugiri:")
	cli.Say(c.OutOrStdout(), bold, "tools for agents, listening at",
		"http://"+listen.Reachable(l.Addr())+"/")
	if s.token == "" {
		s.token = rand.Text()
		cli.Say(c.OutOrStdout(), bold, "token", s.token)
	}
	logger, flush := logs.ForClients().Open(c.ErrOrStderr())
	defer flush()
	return listen.ServeUntil(c.Context(), l,
		listen.NewServer(withToken(s.token, agent.Handler(server)), logger), c.OutOrStdout())
}

// withToken has a handler answer only requests with a token.
func withToken(token string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok || subtle.ConstantTimeCompare([]byte(given), []byte(token)) != 1 {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "want the token: Authorization: Bearer TOKEN", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// connect returns the endpoint, with its admin API if it has one.
func (s *mcpSettings) connect(ctx context.Context) (agent.Endpoint, error) {
	client, err := s.Client(ctx)
	if err != nil {
		return agent.Endpoint{}, err
	}
	own, err := client.Options().Credentials.Retrieve(ctx)
	if err != nil {
		return agent.Endpoint{}, err
	}
	at := remote.Of(client)
	e := agent.Endpoint{
		AccessKey: own.AccessKeyID, Region: at.Region, Lint: client, Send: sender(pageOf(at)),
	}
	if at.Base == "" {
		return e, nil
	}
	api := remote.AdminOf(at, s.adminToken)
	_, err = api(ctx, http.MethodGet, "clock", nil)
	switch {
	case err == nil:
		e.Admin, e.Fork = api, s.fork(at.Base)
	case errors.Is(err, remote.ErrUnreachable):
		return e, endpoint.NoServer(err, client)
	}
	return e, nil // another endpoint, or one without --admin
}

// fork returns what opens forks of an endpoint for verifications.
func (s *mcpSettings) fork(url string) func(context.Context, string) (func() (proof.Service, error),
	error) {
	return func(ctx context.Context, table string) (func() (proof.Service, error), error) {
		f := &forks.Source{Endpoint: s.Endpoint, AdminToken: s.adminToken}
		f.URL = url
		return f.Open, f.Connect(ctx, table)
	}
}

// sender sends requests of operations to an endpoint.
func sender(at *console.Remote) func(ctx context.Context, operation string, request []byte,
	as string) ([]byte, error) {
	return func(ctx context.Context, operation string, request []byte, as string) ([]byte, error) {
		o, ok := catalog.Named(operation)
		if !ok {
			return nil, fmt.Errorf("there is no operation %s", operation)
		}
		if as != "" && !at.About.Choice {
			return nil, errors.New("this endpoint has no forks")
		}
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, "/", bytes.NewReader(request))
		if err != nil {
			return nil, err
		}
		answer, err := at.Send(r, console.Caller{AccessKey: as}, o)
		if err != nil {
			return nil, err
		}
		return remote.BodyOf(answer, func(text []byte) error {
			var e struct {
				Type    string `json:"__type"`
				Message string `json:"message"` // also Message: encoding/json ignores case
			}
			if json.Unmarshal(text, &e) != nil || e.Type == "" {
				return errors.New(answer.Status)
			}
			return fmt.Errorf("%s: %s", e.Type[strings.LastIndexByte(e.Type, '#')+1:], e.Message)
		})
	}
}
