package main

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
)

// defaultEndpoint is where a command that is a client looks for a server when nothing names one.
const defaultEndpoint = "http://localhost:8000"

// endpoint is where a command that is a client finds its tables.
type endpoint struct {
	url     string
	region  string
	profile string // of the AWS configuration; "" for that of the environment
}

// flags adds the flags by which an endpoint is named.
func (e *endpoint) flags(c *cobra.Command) {
	addGroup(c.Flags(), "Endpoint", func(f *pflag.FlagSet) {
		e.urlFlag(f, "endpoint", "`URL` of the DynamoDB endpoint; \"aws\" is DynamoDB itself")
		f.StringVar(&e.region, "region", "", "AWS `region` (default that of the environment, or us-east-1)")
	})
}

// endFlags adds the flags by which one of two endpoints is named.
func (e *endpoint) endFlags(c *cobra.Command, end string) {
	addGroup(c.Flags(), "Endpoints", func(f *pflag.FlagSet) {
		e.urlFlag(f, end, "`URL` of the DynamoDB endpoint; \"aws\" is DynamoDB itself")
		f.StringVar(&e.region, end+"-region", "", "AWS `region` of --"+end+" (default that of the environment, or us-east-1)")
		f.StringVar(&e.profile, end+"-profile", "", "`name` of the profile of the AWS configuration with the credentials of --"+end+
			" (default the credentials of the environment)")
	})
}

// urlFlag adds the flag of the URL.
func (e *endpoint) urlFlag(f *pflag.FlagSet, name, usage string) {
	f.StringVar(&e.url, name, "", usage+" (default that of the environment, AWS_ENDPOINT_URL_DYNAMODB or AWS_ENDPOINT_URL, or "+defaultEndpoint+")")
}

// client makes a client. The AWS CLI's rules find the credentials, and the endpoint unless
// the command line names it; an endpoint on this machine takes any credentials, and needs none.
func (e *endpoint) client(ctx context.Context) (*dynamodb.Client, error) {
	if e.url == "" {
		var err error
		if e.url, err = configuredEndpoint(ctx, e.options()...); err != nil {
			return nil, err
		}
	}
	base, host, err := e.base()
	if err != nil {
		return nil, err
	}
	cfg, err := configFor(ctx, host, e.options()...)
	if err != nil {
		return nil, err
	}
	if e.region != "" {
		cfg.Region = e.region
	}
	if cfg.Region == "" {
		cfg.Region = "us-east-1"
	}
	if _, err := cfg.Credentials.Retrieve(ctx); err != nil {
		return nil, noCredentials(base, err)
	}
	return dynamodb.NewFromConfig(cfg, func(o *dynamodb.Options) {
		o.BaseEndpoint = base
		o.HTTPClient = inOnePiece{o.HTTPClient} // the SDK's choice: the configuration names a client only for AWS_CA_BUNDLE
	}), nil
}

// at names the place of tables in a checkpoint, with the client of the endpoint.
func (e *endpoint) at(client *dynamodb.Client) string {
	return e.url + " in " + client.Options().Region
}

// options says which profile of the AWS configuration counts.
func (e *endpoint) options() []func(*config.LoadOptions) error {
	if e.profile == "" {
		return nil
	}
	return []func(*config.LoadOptions) error{config.WithSharedConfigProfile(e.profile)}
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
func configuredEndpoint(ctx context.Context, opts ...func(*config.LoadOptions) error) (string, error) {
	cfg, err := config.LoadDefaultConfig(ctx, opts...)
	if err != nil {
		return "", fmt.Errorf("reading the AWS configuration: %w", err)
	}
	if base := dynamodb.NewFromConfig(cfg).Options().BaseEndpoint; base != nil {
		return *base, nil
	}
	return defaultEndpoint, nil
}

// base is the URL of the endpoint, with its host; nil is DynamoDB itself.
func (e *endpoint) base() (base *string, host string, err error) {
	if e.url == "aws" {
		return nil, "", nil
	}
	u, err := url.Parse(e.url)
	if err != nil || u.Host == "" {
		return nil, "", fmt.Errorf("the endpoint %q is not a URL such as %s", e.url, defaultEndpoint)
	}
	return &e.url, u.Hostname(), nil
}

// configFor reads the AWS configuration for an endpoint at a host, and prepares for its
// certificate. A test server takes any credentials, so EC2 is not asked for some, which takes long
// where there is no EC2.
func configFor(ctx context.Context, host string, opts ...func(*config.LoadOptions) error) (aws.Config, error) {
	opts = append(opts, config.WithLogger(logging.Nop{})) // what fails is in errors
	if forTests(host) {
		opts = append(opts, config.WithEC2IMDSClientEnableState(imds.ClientDisabled))
	}
	if !isLocal(host) {
		trustPublicRoots()
	}
	cfg, err := config.LoadDefaultConfig(ctx, opts...)
	if err != nil {
		return cfg, fmt.Errorf("reading the AWS configuration: %w", err)
	}
	if !forTests(host) {
		return cfg, nil
	}
	if _, err := cfg.Credentials.Retrieve(ctx); err != nil {
		cfg.Credentials = credentials.NewStaticCredentialsProvider("test", "test", "")
	}
	return cfg, nil
}

// noServer adds to an error of the network which server was asked, and how to name another.
func noServer(err error, client *dynamodb.Client) error {
	return noServerOf(err, client, "--endpoint or AWS_ENDPOINT_URL_DYNAMODB")
}

// noServerOf is noServer for an endpoint that is named in another way.
func noServerOf(err error, client *dynamodb.Client, named string) error {
	url := client.Options().BaseEndpoint
	if failed, ok := errors.AsType[*net.OpError](err); ok && url != nil {
		return fmt.Errorf("%w: is a server running at %s? %s names another", failed, *url, named)
	}
	return err
}

// isLocal reports whether a host is this machine.
func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// forTests reports whether only a test server can be at a host: on this machine, or in another
// container, where names have no dots.
func forTests(host string) bool {
	return isLocal(host) || host == "host.docker.internal" || host != "" && !strings.ContainsAny(host, ".:")
}
