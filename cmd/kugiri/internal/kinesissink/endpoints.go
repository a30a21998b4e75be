package kinesissink

import (
	"context"
	"os"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// endpointsOfAWS returns the function that finds the URL of Kinesis in a region: the one that the
// AWS configuration names for it, or its place in AWS.
func endpointsOfAWS(cfg aws.Config) func(ctx context.Context, region string) (string, error) {
	return func(ctx context.Context, region string) (string, error) {
		if url, err := configured(ctx, cfg); url != "" || err != nil {
			return url, err
		}
		// The hosts of the two services differ in the name alone, in all partitions and forms.
		o := dynamodb.NewFromConfig(cfg).Options().EndpointOptions
		of, err := dynamodb.NewDefaultEndpointResolverV2().ResolveEndpoint(ctx,
			dynamodb.EndpointParameters{
				Region:       &region,
				UseFIPS:      aws.Bool(o.UseFIPSEndpoint == aws.FIPSEndpointStateEnabled),
				UseDualStack: aws.Bool(o.UseDualStackEndpoint == aws.DualStackEndpointStateEnabled),
			})
		if err != nil {
			return "", err
		}
		of.URI.Host = strings.Replace(of.URI.Host, "dynamodb", "kinesis", 1)
		return of.URI.String(), nil
	}
}

// configured returns the URL that the AWS configuration names, "" if it names none, in the order of
// the SDKs (AWS SDKs and Tools Reference Guide, "Service-specific endpoints").
func configured(ctx context.Context, cfg aws.Config) (url string, err error) {
	_, all := os.LookupEnv("AWS_ENDPOINT_URL")
	_, own := os.LookupEnv("AWS_ENDPOINT_URL_KINESIS")
	if all && !own {
		return aws.ToString(cfg.BaseEndpoint), nil
	}
	for _, source := range cfg.ConfigSources {
		if s, ok := source.(interface {
			GetIgnoreConfiguredEndpoints(context.Context) (ignore, found bool, err error)
		}); ok {
			ignore, found, err := s.GetIgnoreConfiguredEndpoints(ctx)
			if err != nil || found && ignore {
				return "", err
			}
			if found {
				break
			}
		}
	}
	for _, source := range cfg.ConfigSources {
		if s, ok := source.(interface {
			GetServiceBaseEndpoint(ctx context.Context, service string) (string, bool, error)
		}); ok {
			if url, found, err := s.GetServiceBaseEndpoint(ctx, "Kinesis"); found || err != nil {
				return url, err
			}
		}
	}
	return aws.ToString(cfg.BaseEndpoint), nil
}
