package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/feature/ec2/imds"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/spf13/cobra"
)

// endpoint is where a command that is a client finds its tables.
type endpoint struct {
	url    string
	region string
}

// flags adds the flags by which an endpoint is named.
func (e *endpoint) flags(c *cobra.Command) {
	c.Flags().StringVar(&e.url, "endpoint", "http://localhost:8000", "`URL` of the DynamoDB endpoint; \"aws\" is DynamoDB itself")
	c.Flags().StringVar(&e.region, "region", "", "AWS `region` (default that of the environment, or us-east-1)")
}

// client makes a client. Credentials are those of the environment, as the AWS CLI
// finds them; an endpoint on this machine takes any, and needs none to be there. The
// environment's endpoint (AWS_ENDPOINT_URL) is never meant: it is where tests go.
func (e *endpoint) client(ctx context.Context) (*dynamodb.Client, error) {
	base, host, err := e.base()
	if err != nil {
		return nil, err
	}
	cfg, err := configFor(ctx, host)
	if err != nil {
		return nil, err
	}
	if e.region != "" {
		cfg.Region = e.region
	}
	if cfg.Region == "" {
		cfg.Region = "us-east-1"
	}
	if base == nil {
		if _, err := cfg.Credentials.Retrieve(ctx); err != nil {
			return nil, fmt.Errorf("DynamoDB needs credentials, as the AWS CLI finds them: %w", err)
		}
	}
	return dynamodb.NewFromConfig(cfg, func(o *dynamodb.Options) {
		o.BaseEndpoint = base
		o.HTTPClient = inOnePiece{o.HTTPClient} // the SDK's choice: the configuration names a client only for AWS_CA_BUNDLE
	}), nil
}

// base is the URL of the endpoint, with its host; nil is DynamoDB itself.
func (e *endpoint) base() (base *string, host string, err error) {
	if e.url == "aws" {
		return nil, "", nil
	}
	u, err := url.Parse(e.url)
	if err != nil || u.Host == "" {
		return nil, "", fmt.Errorf("--endpoint %q is no URL, such as http://localhost:8000", e.url)
	}
	return &e.url, u.Hostname(), nil
}

// configFor reads the AWS configuration for an endpoint at a host. On this machine, where
// any credentials will do, EC2 is not asked for some, which takes long where there is no EC2.
func configFor(ctx context.Context, host string) (aws.Config, error) {
	var opts []func(*config.LoadOptions) error
	if isLocal(host) {
		opts = append(opts, config.WithEC2IMDSClientEnableState(imds.ClientDisabled))
	}
	cfg, err := config.LoadDefaultConfig(ctx, opts...)
	if err != nil {
		return cfg, fmt.Errorf("reading the AWS configuration: %w", err)
	}
	if !isLocal(host) {
		return cfg, nil
	}
	if _, err := cfg.Credentials.Retrieve(ctx); err != nil {
		cfg.Credentials = credentials.NewStaticCredentialsProvider("test", "test", "")
	}
	return cfg, nil
}

// noServer says of an error that there is no server where a client was told that it is.
func noServer(err error, client *dynamodb.Client) error {
	url := client.Options().BaseEndpoint
	if failed, ok := errors.AsType[*net.OpError](err); ok && url != nil {
		return fmt.Errorf("%w: is a server running at %s? --endpoint names another", failed, *url)
	}
	return err
}

// isLocal reports whether a host is this machine.
func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
