package endpoint

import (
	"context"
	"os"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// Configured returns the URL that the AWS configuration names for a service, "" if it names none,
// in the order of the SDKs (AWS SDKs and Tools Reference Guide, "Service-specific endpoints"). The
// service has the name of its SDK, such as "Kinesis".
func Configured(ctx context.Context, cfg aws.Config, service string) (url string, err error) {
	_, all := os.LookupEnv("AWS_ENDPOINT_URL")
	_, own := os.LookupEnv("AWS_ENDPOINT_URL_" + strings.ToUpper(service))
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
			if url, found, err := s.GetServiceBaseEndpoint(ctx, service); found || err != nil {
				return url, err
			}
		}
	}
	return aws.ToString(cfg.BaseEndpoint), nil
}
