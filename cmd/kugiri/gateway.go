package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/access"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/listen"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/logs"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/settings"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
	"github.com/kugiri-db/kugiri/conventions/gateway"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
)

// gatewaySettings hold the flags of the gateway.
type gatewaySettings struct {
	upstream    string
	policy      string
	at          listen.Address
	region      string
	credentials string
	timeout     time.Duration
	conditions  bool
	dataOnly    bool
	warnOnly    bool
}

func gatewayCommand() *cobra.Command {
	var s gatewaySettings
	c := &cobra.Command{
		Use:   "gateway --endpoint URL --policy FILE",
		Short: "Hold the requests to any DynamoDB endpoint to a policy",
		Long: `Stands in front of a DynamoDB endpoint, DynamoDB itself or a compatible one, until SIGINT or
SIGTERM. What breaks an enforced rule of the policy is refused in DynamoDB's form; what is allowed
is sent as it is, signed with the gateway's credentials, which are found as the AWS CLI does.

A caller's tenant comes from its access key or the policy's header. With --credentials its
signature is verified; without, any access key is believed, so let only trusted services connect.
GET ` + gateway.HealthPath + ` answers probes.`,
		Example: "  kugiri gateway --endpoint https://dynamodb.eu-central-1.amazonaws.com --policy policy.yaml\n" +
			"  kugiri gateway --endpoint http://localhost:8001 --policy policy.yaml --host 0.0.0.0",
		Args: cli.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := settings.Fill(c.Flags(), settings.OwnEnvironment(), c.Root()); err != nil {
				return cli.WithHelp(c, err)
			}
			return s.run(c)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&s.upstream, "endpoint", "", "`URL` of the endpoint (required)")
	f.StringVar(&s.policy, "policy", "", "policy `file` (required); see \"kugiri policy\"")
	s.at.Register(f, 8000)
	f.StringVar(&s.region, "region", "",
		"`region` to sign for (default the one that a request is signed for)")
	f.StringVar(&s.credentials, "credentials", "",
		"`file` with the callers' credentials, to verify signatures with; as that of serve")
	f.DurationVar(&s.timeout, "timeout", gateway.DefaultTimeout,
		"`duration` that an answer may take to begin")
	f.BoolVar(&s.conditions, "version-conditions", true,
		"make writes that set a version conditional on the one before; without, refuse those that are not")
	f.BoolVar(&s.dataOnly, "data-only", false,
		"refuse operations that change tables rather than items")
	f.BoolVar(&s.warnOnly, "warn-only", false, "refuse nothing that breaks the policy, and log it")
	settings.DescribeEnvironment(f)
	return c
}

func (s *gatewaySettings) run(c *cobra.Command) error {
	switch {
	case s.upstream == "" || s.policy == "":
		return cli.WithHelp(c, errors.New("--endpoint and --policy are needed"))
	case s.timeout <= 0:
		return cli.WithHelp(c, fmt.Errorf("--timeout %v: want a positive duration", s.timeout))
	}
	if err := s.at.Check(); err != nil {
		return cli.WithHelp(c, err)
	}
	ctx := c.Context()
	logger, flush := logs.ForClients().Open(c.ErrOrStderr())
	defer flush()
	settings, err := s.config(ctx, logger)
	if err != nil {
		return err
	}
	g, err := gateway.New(settings)
	if err != nil {
		return err
	}
	defer g.Close()
	l, err := s.at.Listen()
	if err != nil {
		return err
	}
	cli.Say(c.OutOrStdout(), terminal.StyleOf(c.OutOrStdout()).Bold("kugiri:"), "gateway to",
		s.upstream, "listening at", "http://"+listen.Reachable(l.Addr()))
	return listen.ServeUntil(ctx, l, listen.NewServer(g, logger), c.OutOrStdout())
}

// config returns the settings in the form that the gateway takes.
func (s *gatewaySettings) config(ctx context.Context, logger *slog.Logger) (g gateway.Config,
	err error) {
	g = gateway.Config{
		Upstream: s.upstream, Region: s.region, Timeout: s.timeout, NoConditions: !s.conditions,
		DataOnly: s.dataOnly, WarnOnly: s.warnOnly,
		Found: func(ctx context.Context, f policy.Finding, caller request.Caller) {
			s.logFinding(ctx, logger, f, caller)
		},
		Failed: func(ctx context.Context, err error) {
			logger.LogAttrs(ctx, slog.LevelError, "upstream", slog.String("error", err.Error()))
		},
	}
	if g.Policy, err = policyfile.CompileFile(s.policy); err != nil {
		return g, err
	}
	host := ""
	if u, err := url.Parse(s.upstream); err == nil {
		host = u.Hostname()
	}
	own, err := endpoint.ConfigFor(ctx, host)
	if err != nil {
		return g, err
	}
	g.Credentials = own.Credentials
	if _, err := own.Credentials.Retrieve(ctx); err != nil {
		return g, fmt.Errorf("the gateway needs credentials of its own to sign with: %w", err)
	}
	if s.credentials != "" {
		g.Secrets, err = callerSecrets(s.credentials)
	}
	return g, err
}

// callerSecrets reads the secrets that callers sign with.
func callerSecrets(file string) (map[string]string, error) {
	all, err := access.ReadCredentials(file)
	if err != nil {
		return nil, err
	}
	secrets := map[string]string{}
	for key, secret := range all {
		if secret.SessionToken != "" {
			return nil, fmt.Errorf(
				"credentials in %s: %s has a session token, and the gateway takes no temporary credentials", file, key)
		}
		secrets[key] = secret.Key
	}
	return secrets, nil
}

// logFinding logs a finding: a warning, or what was refused.
func (s *gatewaySettings) logFinding(ctx context.Context, l *slog.Logger, f policy.Finding,
	caller request.Caller) {
	level, what := slog.LevelWarn, "warned"
	switch {
	case f.Severity == policy.Enforce && s.warnOnly:
		what = "would be refused"
	case f.Severity == policy.Enforce:
		level, what = slog.LevelError, "refused"
	}
	l.LogAttrs(ctx, level, what, slog.String("rule", f.Rule.ID), slog.String("table", f.Table),
		slog.String("key", f.Key),
		slog.String("access-key", caller.AccessKey), slog.String("tenant-header", caller.Header),
		slog.String("message", f.Message))
}
