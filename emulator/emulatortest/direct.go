package emulatortest

import (
	"context"
	"fmt"
	"net/url"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// Direct has a client leave out what a request needs only on its way through a network: the rules
// for endpoints, credentials and the signature, what the client says of itself, and the checksum of
// the answer. The rest is the SDK's: validation, serialization, retries, errors and metadata. It is
// the last function of the options of a client whose HTTPClient is that of an emulator in this
// process:
//
//	server := emulatortest.Start(t, emulatortest.WithClientOptions(emulatortest.Direct))
//
// A client with credentials or APIOptions of its own leaves out nothing, as these may depend on it.
// Credentials in the options of a single call make no difference.
func Direct(o *dynamodb.Options) {
	if len(o.APIOptions) == 0 &&
		aws.IsCredentialsProvider(o.Credentials, aws.AnonymousCredentials{}) {
		o.APIOptions = append(o.APIOptions, shorten)
	}
}

// shorten takes from the steps of an operation what Direct leaves out. What others add their own
// steps before or after, it replaces by one that does nothing. Versions of the SDK differ in what
// there is.
func shorten(s *middleware.Stack) error {
	s.Serialize.Remove("ResolveEndpoint")
	s.Build.Remove("ClientRequestID")
	s.Build.Remove("UserAgent")
	s.Build.Remove("RecursionDetection")
	for _, id := range [...]string{"DisableAcceptEncodingGzip", "ResolveAuthScheme", "GetIdentity",
		"disableHTTPS", "DiscoverEndpoint", "ComputePayloadHash",
		"setLegacyContextSigningOptions", "RetryMetricsHeader"} {
		s.Finalize.Remove(id)
	}
	s.Deserialize.Remove("DynamoDB:ResponseChecksumValidation")
	if _, err := s.Finalize.Swap("Signing", unsigned); err != nil {
		return err
	}
	_, err := s.Finalize.Swap("ResolveEndpointV2", inProcessEndpoint)
	return err
}

// unsigned is there in place of a signature.
var unsigned = middleware.FinalizeMiddlewareFunc("Signing", func(ctx context.Context,
	in middleware.FinalizeInput, next middleware.FinalizeHandler) (middleware.FinalizeOutput,
	middleware.Metadata, error) {
	return next.HandleFinalize(ctx, in)
})

// inProcessEndpoint has a request go to the emulator, whatever its name.
var inProcessEndpoint = middleware.FinalizeMiddlewareFunc("ResolveEndpointV2",
	func(ctx context.Context, in middleware.FinalizeInput, next middleware.FinalizeHandler) (
		middleware.FinalizeOutput, middleware.Metadata, error) {
		r, ok := in.Request.(*smithyhttp.Request)
		if !ok {
			return middleware.FinalizeOutput{}, middleware.Metadata{},
				fmt.Errorf("emulatortest: a request is a %T", in.Request)
		}
		r.URL = &url.URL{Scheme: "http", Host: "kugiri.invalid", Path: "/"}
		return next.HandleFinalize(ctx, in)
	})
