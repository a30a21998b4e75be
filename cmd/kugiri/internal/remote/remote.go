package remote

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
	"github.com/kugiri-db/kugiri/conventions/catalog"
	"github.com/kugiri-db/kugiri/conventions/outgoing"
	"github.com/kugiri-db/kugiri/conventions/sigv4"
)

// Endpoint has what requests to an endpoint need. It is safe for concurrent use.
type Endpoint struct {
	Base        string // the URL, "" for DynamoDB itself
	Region      string
	ForTests    bool // it takes any access key
	Client      *http.Client
	Credentials func(context.Context) (sigv4.Credentials, error)
	URL         func(ctx context.Context, s catalog.Service, region string) (string, error)
}

// Of returns the endpoint of a client. A test server takes any access key.
func Of(client *dynamodb.Client) *Endpoint {
	o := client.Options()
	base := aws.ToString(o.BaseEndpoint)
	host := ""
	if u, err := url.Parse(base); err == nil {
		host = u.Hostname()
	}
	return &Endpoint{
		Base: base, Region: o.Region, ForTests: base != "" && endpoint.ForTests(host),
		Client: outgoing.Client(cmp.Or(base, outgoing.AWS), time.Minute),
		Credentials: func(ctx context.Context) (sigv4.Credentials, error) {
			k, err := o.Credentials.Retrieve(ctx)
			return sigv4.Credentials{AccessKey: k.AccessKeyID, Secret: k.SecretAccessKey,
				SessionToken: k.SessionToken}, err
		},
		URL: func(ctx context.Context, service catalog.Service, region string) (string, error) {
			if base != "" {
				return base, nil
			}
			return awsURL(ctx, service, region)
		},
	}
}

// awsURL returns the URL of a service of AWS in a region. That of streams differs from DynamoDB's
// by the beginning of its host.
func awsURL(ctx context.Context, service catalog.Service, region string) (string, error) {
	if !outgoing.IsRegion(region) {
		return "", fmt.Errorf("%q is no region of AWS", region)
	}
	at, err := dynamodb.NewDefaultEndpointResolverV2().ResolveEndpoint(ctx,
		dynamodb.EndpointParameters{Region: &region})
	if err == nil && service == catalog.Streams && strings.HasPrefix(at.URI.Host, "dynamodb.") {
		at.URI.Host = "streams." + at.URI.Host
	}
	return at.URI.String(), err
}
