package endpoint

import (
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"

	"github.com/kugiri-db/kugiri/conventions/outgoing"
)

// RestrictedClient returns a client for what a server does on behalf of requests. It keeps to the
// rule of package outgoing for an endpoint, a URL or outgoing.AWS. Settings of the transport are
// those of an SDK's client, which knows AWS_CA_BUNDLE, or the SDK's own ones.
func RestrictedClient(of aws.HTTPClient, at string) *http.Client {
	b, ok := of.(*awshttp.BuildableClient)
	if !ok {
		b = awshttp.NewBuildableClient()
	}
	return outgoing.ClientOf(b.GetTransport(), at, b.GetTimeout())
}
