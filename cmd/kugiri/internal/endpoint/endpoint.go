package endpoint

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/feature/ec2/imds"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/logging"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
)

// Default is where a command that is a client looks for a server when nothing names one.
const Default = "http://localhost:8000"

// Endpoint is where a command that is a client finds its tables.
type Endpoint struct {
	URL     string // "aws": DynamoDB itself; "": as the environment says
	Region  string // "": as the environment says
	Profile string // a profile of the AWS configuration; "" for that of the environment
}

// Flags adds the flags by which an endpoint is named.
func (e *Endpoint) Flags(c *cobra.Command) {
	cli.AddGroup(c.Flags(), "Endpoint", func(f *pflag.FlagSet) {
		e.URLFlag(f, "endpoint", "`URL` of the DynamoDB endpoint; \"aws\" is DynamoDB itself")
		f.StringVar(&e.Region, "region", "",
			"AWS `region` (default that of the environment, or us-east-1)")
	})
}

// EndFlags adds the flags by which one of two endpoints is named.
func (e *Endpoint) EndFlags(c *cobra.Command, end string) {
	cli.AddGroup(c.Flags(), "Endpoints", func(f *pflag.FlagSet) {
		e.URLFlag(f, end, "`URL` of the DynamoDB endpoint; \"aws\" is DynamoDB itself")
		f.StringVar(&e.Region, end+"-region", "",
			"AWS `region` of --"+end+" (default that of the environment, or us-east-1)")
		f.StringVar(&e.Profile, end+"-profile", "",
			"`name` of the profile of the AWS configuration with the credentials of --"+end+
				" (default the credentials of the environment)")
	})
}

// URLFlag adds the flag of the URL.
func (e *Endpoint) URLFlag(f *pflag.FlagSet, name, usage string) {
	f.StringVar(&e.URL, name, "",
		usage+" (default that of the environment, AWS_ENDPOINT_URL_DYNAMODB or AWS_ENDPOINT_URL, or "+Default+")")
}

// Client makes a client. The AWS CLI's rules find the credentials, and the endpoint unless
// the command line names it; an endpoint on this machine takes any credentials, and needs none.
func (e *Endpoint) Client(ctx context.Context) (*dynamodb.Client, error) {
	if e.URL == "" {
		var err error
		if e.URL, err = configuredEndpoint(ctx, e.options()...); err != nil {
			return nil, err
		}
	}
	base, host, err := e.Base()
	if err != nil {
		return nil, err
	}
	cfg, err := ConfigFor(ctx, host, e.options()...)
	if err != nil {
		return nil, err
	}
	if e.Region != "" {
		cfg.Region = e.Region
	}
	if cfg.Region == "" {
		cfg.Region = "us-east-1"
	}
	if _, err := cfg.Credentials.Retrieve(ctx); err != nil {
		return nil, noCredentials(base, err)
	}
	return dynamodb.NewFromConfig(cfg, func(o *dynamodb.Options) {
		o.BaseEndpoint = base
		// the SDK's choice: the configuration names a client only for AWS_CA_BUNDLE
		o.HTTPClient = InOnePiece(o.HTTPClient)
	}), nil
}

// At names the place of tables in a checkpoint, with the client of the endpoint.
func (e *Endpoint) At(client *dynamodb.Client) string {
	return e.URL + " in " + client.Options().Region
}

// options says which profile of the AWS configuration counts.
func (e *Endpoint) options() []func(*config.LoadOptions) error {
	if e.Profile == "" {
		return nil
	}
	return []func(*config.LoadOptions) error{config.WithSharedConfigProfile(e.Profile)}
}

// noCredentials is the error of an endpoint, nil for DynamoDB itself, for which no credentials are
// found.
func noCredentials(base *string, err error) error {
	if base == nil {
		return fmt.Errorf("DynamoDB needs credentials, as the AWS CLI finds them: %w", err)
	}
	return fmt.Errorf("%s needs credentials, as the AWS CLI finds them; a test server takes any, "+
		"such as AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test: %w", *base, err)
}

// configuredEndpoint is the endpoint that the AWS configuration names for DynamoDB, in the
// environment or its files, or else the default.
func configuredEndpoint(ctx context.Context, opts ...func(*config.LoadOptions) error) (string,
	error) {
	cfg, err := config.LoadDefaultConfig(ctx, opts...)
	if err != nil {
		return "", fmt.Errorf("reading the AWS configuration: %w", err)
	}
	if base := dynamodb.NewFromConfig(cfg).Options().BaseEndpoint; base != nil {
		return *base, nil
	}
	return Default, nil
}

// Base is the URL of the endpoint, with its host; nil is DynamoDB itself.
func (e *Endpoint) Base() (base *string, host string, err error) {
	if e.URL == "aws" {
		return nil, "", nil
	}
	u, err := url.Parse(e.URL)
	if err != nil || u.Host == "" {
		return nil, "", fmt.Errorf("the endpoint %q is not a URL such as %s", e.URL, Default)
	}
	return &e.URL, u.Hostname(), nil
}

// ConfigFor reads the AWS configuration for an endpoint at a host, and prepares for its
// certificate. A test server takes any credentials, so EC2 is not asked for some, which takes long
// where there is no EC2.
func ConfigFor(ctx context.Context, host string,
	opts ...func(*config.LoadOptions) error) (aws.Config, error) {
	opts = append(opts, config.WithLogger(logging.Nop{})) // what fails is in errors
	if ForTests(host) {
		opts = append(opts, config.WithEC2IMDSClientEnableState(imds.ClientDisabled))
	}
	if !IsLocal(host) {
		TrustPublicRoots()
	}
	cfg, err := config.LoadDefaultConfig(ctx, opts...)
	if err != nil {
		return cfg, fmt.Errorf("reading the AWS configuration: %w", err)
	}
	if !ForTests(host) {
		return cfg, nil
	}
	if _, err := cfg.Credentials.Retrieve(ctx); err != nil {
		cfg.Credentials = credentials.NewStaticCredentialsProvider("test", "test", "")
	}
	return cfg, nil
}

// NoServer adds to an error of the network which server was asked, and how to name another.
func NoServer(err error, client *dynamodb.Client) error {
	return NoServerOf(err, client, "--endpoint or AWS_ENDPOINT_URL_DYNAMODB")
}

// NoServerOf is NoServer for an endpoint that is named in another way.
func NoServerOf(err error, client *dynamodb.Client, named string) error {
	url := client.Options().BaseEndpoint
	if failed, ok := errors.AsType[*net.OpError](err); ok && url != nil {
		return fmt.Errorf("%w: is a server running at %s? %s names another", failed, *url, named)
	}
	return err
}

// IsLocal reports whether a host is this machine.
func IsLocal(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// ForTests reports whether only a test server can be at a host: on this machine, or in another
// container, where names have no dots.
func ForTests(host string) bool {
	return IsLocal(host) || host == "host.docker.internal" || host != "" &&
		!strings.ContainsAny(host, ".:")
}
