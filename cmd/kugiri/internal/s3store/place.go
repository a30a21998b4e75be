package s3store

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/encoding/httpbinding"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
)

// place is where the buckets are.
type place struct {
	url.URL
	hosts bool // the names of buckets are parts of hosts
}

// placeOf returns the place of an endpoint; "" is the one that the AWS configuration names, or S3.
func placeOf(ctx context.Context, cfg aws.Config, at string) (place, error) {
	if at == "" {
		configured, err := endpoint.Configured(ctx, cfg, "S3")
		if err != nil {
			return place{}, err
		}
		at = configured
	}
	if at != "" {
		u, err := url.Parse(at)
		if err != nil || u.Host == "" {
			return place{}, fmt.Errorf("the endpoint %q is not a URL such as %s", at,
				"http://localhost:9000")
		}
		return place{URL: *u}, nil
	}
	host, err := hostOfAWS(ctx, cfg)
	return place{URL: url.URL{Scheme: "https", Host: host}, hosts: true}, err
}

// hostOfAWS returns the host of S3 in the region of a configuration (AWS General Reference, "Amazon
// S3 endpoints and quotas"). The domain is that of DynamoDB in the same partition.
func hostOfAWS(ctx context.Context, cfg aws.Config) (string, error) {
	o := dynamodb.NewFromConfig(cfg).Options()
	of, err := dynamodb.NewDefaultEndpointResolverV2().ResolveEndpoint(ctx,
		dynamodb.EndpointParameters{Region: &o.Region})
	if err != nil {
		return "", err
	}
	_, domain, _ := strings.Cut(of.URI.Host, ".") // without the service
	host := "s3"
	if o.EndpointOptions.UseFIPSEndpoint == aws.FIPSEndpointStateEnabled {
		host += "-fips"
	}
	if o.EndpointOptions.UseDualStackEndpoint == aws.DualStackEndpointStateEnabled {
		host += ".dualstack"
	}
	return host + "." + domain, nil
}

// inHost reports whether the name of a bucket can be a part of a host. One with a dot cannot: the
// certificate of S3 does not hold for it.
func inHost(bucket string) bool {
	const alphanumeric = "abcdefghijklmnopqrstuvwxyz0123456789"
	return len(bucket) >= 3 && len(bucket) <= 63 && bucket == strings.Trim(bucket, "-") &&
		strings.Trim(bucket, alphanumeric+"-") == ""
}

// of returns the URL of an object, or of a bucket if the key is "".
func (p place) of(bucket, key string) *url.URL {
	u := p.URL
	path := "/" + key
	if p.hosts && inHost(bucket) {
		u.Host = bucket + "." + u.Host
	} else {
		path = "/" + bucket + path
	}
	u.Path = strings.TrimSuffix(p.Path, "/") + path
	u.RawPath = httpbinding.EscapePath(u.Path, false) // as it is signed
	return &u
}
