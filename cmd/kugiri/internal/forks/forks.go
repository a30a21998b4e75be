// Package forks makes forks of a running server, in which a design is verified.
package forks

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/remote"
	"github.com/kugiri-db/kugiri/conventions/sigv4"
	"github.com/kugiri-db/kugiri/emulator/proof"
)

// Source makes forks of a running server for verifications.
type Source struct {
	endpoint.Endpoint
	AdminToken string

	ctx    context.Context
	table  string
	remote *remote.Endpoint
	admin  remote.API
	from   string // the access key whose tables forks begin with; "" for those of a new one
	mu     sync.Mutex
	failed error // the first request that got no answer
}

// Flags makes the flags.
func (f *Source) Flags(c *cobra.Command) {
	cli.AddGroup(c.Flags(), "Endpoint", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.URL, "endpoint", "",
			"`URL` of a Kugiri with --admin, to verify on forks of it (default an emulator of its own)")
		flags.StringVar(&f.Region, "region", "",
			"AWS `region` (default that of the environment, or us-east-1)")
		flags.StringVar(&f.AdminToken, "admin-token", "",
			"`token` of the admin API of the endpoint")
	})
}

// Where says what a verification makes its table on.
func (f *Source) Where() string {
	if f.URL == "" {
		return "an emulator of its own"
	}
	return "a fork of " + f.URL
}

// Connect finds the endpoint, if there is one, and whose tables its forks begin with.
func (f *Source) Connect(ctx context.Context, table string) error {
	if f.URL == "" {
		if f.Region != "" || f.AdminToken != "" {
			return errors.New("--region and --admin-token belong to --endpoint")
		}
		return nil
	}
	if f.URL == "aws" {
		return errors.New("DynamoDB has no forks: want the --endpoint of a Kugiri with --admin")
	}
	client, err := f.Client(ctx)
	if err != nil {
		return err
	}
	f.ctx, f.table, f.remote = ctx, table, remote.Of(client)
	f.admin = remote.AdminOf(f.remote, f.AdminToken)
	own, err := f.remote.Credentials(ctx)
	if err != nil {
		return err
	}
	// a fork is of an access key that was used
	_, _ = client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &table})
	if _, err := f.admin(ctx, http.MethodGet, "clock", nil); err != nil {
		return fmt.Errorf("%s: want the endpoint of a Kugiri with --admin: %w", f.URL, err)
	}
	if s, err := f.make(own.AccessKey); err == nil {
		f.from = own.AccessKey
		return s.Close()
	}
	return nil // all access keys have the same tables, and no policy tells them apart
}

// Open makes a fork without the table of the plan.
func (f *Source) Open() (proof.Service, error) {
	s, err := f.fork(f.from)
	if err != nil {
		return nil, err
	}
	if err := s.dropTable(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// fork is make whose error is one of the verification.
func (f *Source) fork(from string) (*fork, error) {
	s, err := f.make(from)
	return s, f.lost(err)
}

// make makes a fork of what an access key sees, with a clock that is held.
func (f *Source) make(from string) (*fork, error) {
	s := &fork{f, "design-verify-" + rand.Text()[:10]}
	body := map[string]any{"accessKey": s.key, "clock": "held"}
	if from != "" {
		body["from"] = from
	}
	_, err := f.admin(f.ctx, http.MethodPost, "forks", body)
	return s, err
}

// lost remembers the first error of a request that got no answer, or not the one that it should.
func (f *Source) lost(err error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil && f.failed == nil {
		f.failed = fmt.Errorf("%s: %w", f.URL, err)
	}
	return err
}

// fork is a fork as the service of a verification.
type fork struct {
	*Source
	key string // the access key that sees the fork
}

// Do signs a request with the fork's access key, and sends it.
func (s *fork) Do(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	out, err := http.NewRequestWithContext(s.ctx, r.Method, s.URL, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	out.Header = r.Header.Clone()
	k, err := s.remote.Credentials(s.ctx)
	if err != nil {
		return nil, s.lost(err)
	}
	k.AccessKey = s.key
	sigv4.Sign(out, body, k, s.remote.Region, "dynamodb", time.Now())
	answer, err := s.remote.Client.Do(out)
	return answer, s.lost(err)
}

// dropTable deletes the table that a fork begins with by the name of the plan's, if there is one.
func (s *fork) dropTable() error {
	for _, in := range []struct {
		operation string
		body      map[string]any
	}{
		{"UpdateTable", map[string]any{"TableName": s.table, "DeletionProtectionEnabled": false}},
		{"DeleteTable", map[string]any{"TableName": s.table}},
	} {
		there, err := s.change(in.operation, in.body)
		if err != nil || !there {
			return err
		}
		if err := s.Settle(); err != nil {
			return err
		}
	}
	return nil
}

// change sends a request that changes the table. It returns false if there is no such table.
func (s *fork) change(operation string, body map[string]any) (there bool, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return false, err
	}
	r, err := http.NewRequestWithContext(s.ctx, http.MethodPost, s.URL, bytes.NewReader(text))
	if err != nil {
		return false, err
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	answer, err := s.Do(r)
	if err != nil {
		return false, err
	}
	defer answer.Body.Close()
	there = true
	_, err = remote.BodyOf(answer, func(text []byte) error {
		if bytes.Contains(text, []byte("ResourceNotFoundException")) {
			there = false
			return nil
		}
		return fmt.Errorf("%s: %s of %s: %s", s.URL, operation, s.table, text)
	})
	return there, err
}

// settling is how much time passes on a fork's clock while its tables become ACTIVE.
const settling = 24 * time.Hour

// Settle moves the fork's clock.
func (s *fork) Settle() error {
	_, err := s.control(http.MethodPost, "/clock/advance", map[string]any{"by": settling.String()})
	return err
}

// Fork makes a fork of the fork.
func (s *fork) Fork() (proof.Service, error) { return s.fork(s.key) }

// Now returns the time of the fork's clock.
func (s *fork) Now() (time.Time, error) {
	text, err := s.control(http.MethodGet, "/clock", nil)
	if err != nil {
		return time.Time{}, err
	}
	var clock struct{ Now time.Time }
	err = json.Unmarshal(text, &clock)
	return clock.Now, s.lost(err)
}

// Expire deletes the expired items of the fork.
func (s *fork) Expire() error {
	_, err := s.control(http.MethodPost, "/expire", nil)
	return err
}

// Close removes the fork, also after an interrupt.
func (s *fork) Close() error {
	_, err := s.admin(context.WithoutCancel(s.ctx), http.MethodDelete,
		"forks/"+url.PathEscape(s.key), nil)
	_ = s.lost(err)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}

// control sends a request to the admin API of the fork.
func (s *fork) control(method, path string, body any) ([]byte, error) {
	text, err := s.admin(s.ctx, method, "forks/"+url.PathEscape(s.key)+path, body)
	return text, s.lost(err)
}
