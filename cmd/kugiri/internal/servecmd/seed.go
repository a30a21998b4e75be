package servecmd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/lint"
	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/emulator"
)

// checkSeed holds what an emulator was seeded with to a policy: what breaks an enforced rule is an
// error, what breaks another is logged. A nil policy says nothing.
func checkSeed(ctx context.Context, e *emulator.Emulator, p *policy.Engine,
	logger *slog.Logger) error {
	if p == nil {
		return nil
	}
	client := dynamodb.New(dynamodb.Options{Region: "us-east-1",
		BaseEndpoint: aws.String("http://kugiri.invalid"),
		Credentials:  aws.AnonymousCredentials{}, HTTPClient: e.HTTPClient("seed", "us-east-1")})
	l := lint.Linter{Client: client, Policy: p}
	for pages := dynamodb.NewListTablesPaginator(client, nil); pages.HasMorePages(); {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return err
		}
		for _, name := range page.TableNames {
			if p.Covers(name) {
				l.Tables = append(l.Tables, name)
			}
		}
	}
	report, err := l.Run(ctx)
	if err != nil {
		return err
	}
	return judgeSeed(report, logger)
}

func judgeSeed(report *lint.Report, logger *slog.Logger) error {
	var errs []error
	for _, g := range report.Groups {
		example := g.Examples[0]
		if g.Severity == policy.Enforce.String() {
			errs = append(errs,
				fmt.Errorf("%s: %d in the table %s, such as %s; instead, %s", g.Rule, g.Count,
					g.Table, example, g.Remedy))
			continue
		}
		logger.Warn("what the seed holds breaks the policy", "rule", g.Rule, "count", g.Count,
			"table", g.Table, "example", example.Message)
	}
	return errors.Join(errs...)
}
