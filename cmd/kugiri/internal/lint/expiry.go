package lint

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/transfer"
	"github.com/kugiri-db/kugiri/conventions/policy"
)

// expiry returns the findings on the TTL of a table whose items the policy keeps. An endpoint that
// refuses to describe the TTL is noted in the table's run.
func (l *Linter) expiry(ctx context.Context, t *tableRun) ([]policy.Finding, error) {
	found := l.Policy.CheckExpiry(t.Name)
	if len(found) == 0 {
		return nil, nil
	}
	out, err := l.Client.DescribeTimeToLive(ctx,
		&dynamodb.DescribeTimeToLiveInput{TableName: &t.Name}, transfer.Patient)
	var refused smithy.APIError
	switch {
	case errors.As(err, &refused):
		t.NoTTL = fmt.Sprintf("%s: %s", refused.ErrorCode(), refused.ErrorMessage())
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("describing the TTL of %s: %w", t.Name, err)
	case expires(out.TimeToLiveDescription):
		return found, nil
	}
	return nil, nil
}

// expires reports whether TTL deletes items, or is about to.
func expires(d *types.TimeToLiveDescription) bool {
	return d != nil && (d.TimeToLiveStatus == types.TimeToLiveStatusEnabled ||
		d.TimeToLiveStatus == types.TimeToLiveStatusEnabling)
}
