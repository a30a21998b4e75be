package kinesissink

import (
	"context"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
)

// endpointsOfAWS returns the function that finds the URL of Kinesis in a region: the one that the
// AWS configuration names for it, or its place in AWS.
func endpointsOfAWS(cfg aws.Config) func(ctx context.Context, region string) (string, error) {
	return func(ctx context.Context, region string) (string, error) {
		if url, err := endpoint.Configured(ctx, cfg, "Kinesis"); url != "" || err != nil {
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
