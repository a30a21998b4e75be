package guard

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/kugiri-db/kugiri/conventions/internal/verdict"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/policy/request"
)

// Config configures a Guard. The zero value is useful.
type Config struct {
	// Tenant returns the tenant of a call, or "" if it does not know it. The default is TenantOf.
	// For a call without a tenant the policy looks the tenant up by the client's access key.
	Tenant func(context.Context) string

	// Found, if not nil, is called with every finding, refused or not, before the call continues.
	// It must be safe for concurrent use.
	Found func(context.Context, policy.Finding)

	// WarnOnly makes the guard report findings only: it refuses and changes nothing.
	WarnOnly bool
}

// Guard checks the requests of clients against a policy. It is safe for concurrent use by any
// number of clients.
type Guard struct {
	config Config
	judge  verdict.Judge
}

// New returns a Guard.
func New(e *policy.Engine, c Config) *Guard {
	if c.Tenant == nil {
		c.Tenant = TenantOf
	}
	return &Guard{
		config: c,
		judge:  verdict.Judge{Engine: e, State: e.NewState(), Amend: true, Tell: c.WarnOnly},
	}
}

type tenantKey struct{}

// WithTenant returns a context for calls of a tenant. The tenant may be a privileged one.
func WithTenant(ctx context.Context, tenant string) context.Context {
	return context.WithValue(ctx, tenantKey{}, tenant)
}

// TenantOf returns the tenant that WithTenant put into a context, or "" in a context without one.
func TenantOf(ctx context.Context) string {
	tenant, _ := ctx.Value(tenantKey{}).(string)
	return tenant
}

// Options adds the Guard to a client, for dynamodb.New and NewFromConfig, or to a single call. To
// add it twice has no further effect. The caller is the one of the credentials that o has when
// Options runs: options of a call that set other credentials must come before it.
func (g *Guard) Options(o *dynamodb.Options) {
	keys := o.Credentials
	if aws.IsCredentialsProvider(keys, (*aws.AnonymousCredentials)(nil)) {
		keys = nil
	}
	o.APIOptions = append(o.APIOptions, func(s *middleware.Stack) error {
		own := &step{guard: g, keys: keys}
		if _, found := s.Build.Get(own.ID()); found {
			_, err := s.Build.Swap(own.ID(), own)
			return err
		}
		// After the serializer, and before the middleware for content length and signature.
		return s.Build.Add(own, middleware.Before)
	})
}

// step is the middleware that calls the Guard.
type step struct {
	guard *Guard
	keys  aws.CredentialsProvider
}

func (*step) ID() string { return "KugiriConventions" }

// HandleBuild checks a request and sends it, changes it, or refuses it.
func (s *step) HandleBuild(ctx context.Context, in middleware.BuildInput,
	next middleware.BuildHandler) (out middleware.BuildOutput, m middleware.Metadata, err error) {
	request, ok := in.Request.(*smithyhttp.Request)
	if !ok {
		return out, m, fmt.Errorf("guard: a request of the type %T", in.Request)
	}
	operation := awsmiddleware.GetOperationName(ctx)
	body, err := read(request)
	if err != nil {
		return out, m, fmt.Errorf("guard: reading %s: %w", operation, err)
	}
	caller, err := s.caller(ctx)
	if err != nil {
		return out, m, err
	}
	v := s.guard.judge.Judge(operation, body, caller)
	if s.guard.config.Found != nil {
		for _, f := range v.Findings {
			s.guard.config.Found(ctx, f)
		}
	}
	if v.Refusal != nil {
		return out, m, &Error{
			Operation: operation, Findings: policy.Enforced(v.Findings), refusal: v.Refusal,
		}
	}
	if v.Amended {
		if request, err = request.SetStream(bytes.NewReader(v.Body)); err != nil {
			return out, m, fmt.Errorf("guard: %s: %w", operation, err)
		}
		in.Request = request
	}
	out, m, err = next.HandleBuild(ctx, in)
	if err == nil {
		s.guard.judge.Sent(v)
	}
	return out, m, err
}

// caller returns the caller of a request.
func (s *step) caller(ctx context.Context) (request.Caller, error) {
	if tenant := s.guard.config.Tenant(ctx); tenant != "" {
		return request.Caller{Tenant: tenant}, nil
	}
	if s.keys == nil {
		return request.Caller{}, nil
	}
	key, err := s.keys.Retrieve(ctx)
	if err != nil {
		return request.Caller{}, fmt.Errorf("guard: the access key that calls: %w", err)
	}
	return request.Caller{AccessKey: key.AccessKeyID}, nil
}

// read returns the body of a request and rewinds it, so that it can still be sent.
func read(r *smithyhttp.Request) ([]byte, error) {
	stream := r.GetStream()
	if stream == nil {
		return nil, nil
	}
	body, err := io.ReadAll(stream)
	if err != nil {
		return nil, err
	}
	return body, r.RewindStream()
}
