package main

import (
	"context"
	"fmt"
	"net"
	"net/url"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
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
// finds them; an endpoint on this machine takes any, and needs none to be there.
func (e *endpoint) client(ctx context.Context) (*dynamodb.Client, error) {
	cfg, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading the AWS configuration: %w", err)
	}
	cfg.HTTPClient = inOnePiece{cfg.HTTPClient}
	if e.region != "" {
		cfg.Region = e.region
	}
	if cfg.Region == "" {
		cfg.Region = "us-east-1"
	}
	if e.url == "aws" {
		return dynamodb.NewFromConfig(cfg), nil
	}
	u, err := url.Parse(e.url)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("--endpoint %q is no URL, such as http://localhost:8000", e.url)
	}
	if isLocal(u.Hostname()) {
		if _, err := cfg.Credentials.Retrieve(ctx); err != nil {
			cfg.Credentials = credentials.NewStaticCredentialsProvider("test", "test", "")
		}
	}
	return dynamodb.NewFromConfig(cfg, func(o *dynamodb.Options) { o.BaseEndpoint = aws.String(e.url) }), nil
}

// isLocal reports whether a host is this machine.
func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
