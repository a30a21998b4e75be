package main

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

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/console"
	"github.com/kugiri-db/kugiri/conventions/sigv4"
	"github.com/kugiri-db/kugiri/emulator/proof"
)

// verifyForks makes forks of a running server for verifications.
type verifyForks struct {
	endpoint
	adminToken string

	ctx    context.Context
	table  string
	remote *console.Remote
	admin  adminAPI
	from   string // the access key whose tables forks begin with; "" for those of a new one
	mu     sync.Mutex
	failed error // the first request that got no answer
}

func (f *verifyForks) flags(c *cobra.Command) {
	addGroup(c.Flags(), "Endpoint", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.url, "endpoint", "", "`URL` of a Kugiri with --admin, to verify on forks of it (default an emulator of its own)")
		flags.StringVar(&f.region, "region", "", "AWS `region` (default that of the environment, or us-east-1)")
		flags.StringVar(&f.adminToken, "admin-token", "", "`token` of the admin API of the endpoint")
	})
}

// where says what a verification makes its table on.
func (f *verifyForks) where() string {
	if f.url == "" {
		return "an emulator of its own"
	}
	return "a fork of " + f.url
}

// connect finds the endpoint, if there is one, and whose tables its forks begin with.
func (f *verifyForks) connect(ctx context.Context, table string) error {
	if f.url == "" {
		if f.region != "" || f.adminToken != "" {
			return errors.New("--region and --admin-token belong to --endpoint")
		}
		return nil
	}
	if f.url == "aws" {
		return errors.New("DynamoDB has no forks: want the --endpoint of a Kugiri with --admin")
	}
	client, err := f.client(ctx)
	if err != nil {
		return err
	}
	f.ctx, f.table, f.remote = ctx, table, remoteOf(client)
	f.admin = adminOf(f.remote, f.adminToken)
	own, err := f.remote.Credentials(ctx)
	if err != nil {
		return err
	}
	_, _ = client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &table}) // a fork is of an access key that was used
	if _, err := f.admin(ctx, http.MethodGet, "clock", nil); err != nil {
		return fmt.Errorf("%s: want the endpoint of a Kugiri with --admin: %w", f.url, err)
	}
	if s, err := f.make(own.AccessKey); err == nil {
		f.from = own.AccessKey
		return s.Close()
	}
	return nil // all access keys have the same tables, and no policy tells them apart
}

// open makes a fork without the table of the plan.
func (f *verifyForks) open() (proof.Service, error) {
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
func (f *verifyForks) fork(from string) (*verifyFork, error) {
	s, err := f.make(from)
	return s, f.lost(err)
}

// make makes a fork of what an access key sees, with a clock that is held.
func (f *verifyForks) make(from string) (*verifyFork, error) {
	s := &verifyFork{f, "design-verify-" + rand.Text()[:10]}
	body := map[string]any{"accessKey": s.key, "clock": "held"}
	if from != "" {
		body["from"] = from
	}
	_, err := f.admin(f.ctx, http.MethodPost, "forks", body)
	return s, err
}

// lost remembers the first error of a request that got no answer, or not the one that it should.
func (f *verifyForks) lost(err error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil && f.failed == nil {
		f.failed = fmt.Errorf("%s: %w", f.url, err)
	}
	return err
}

// verifyFork is a fork as the service of a verification.
type verifyFork struct {
	*verifyForks
	key string // the access key that sees the fork
}

// Do signs a request with the fork's access key, and sends it.
func (s *verifyFork) Do(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	out, err := http.NewRequestWithContext(s.ctx, r.Method, s.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	out.Header = r.Header.Clone()
	k, err := s.remote.Credentials(s.ctx)
	if err != nil {
		return nil, s.lost(err)
	}
	k.AccessKey = s.key
	sigv4.Sign(out, body, k, s.remote.About.Region, "dynamodb", s.remote.Now())
	answer, err := s.remote.Client.Do(out)
	return answer, s.lost(err)
}

// dropTable deletes the table that a fork begins with by the name of the plan's, if there is one.
func (s *verifyFork) dropTable() error {
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
func (s *verifyFork) change(operation string, body map[string]any) (there bool, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return false, err
	}
	r, err := http.NewRequestWithContext(s.ctx, http.MethodPost, s.url, bytes.NewReader(text))
	if err != nil {
		return false, err
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	answer, err := s.Do(r)
	if err != nil {
		return false, err
	}
	there = true
	_, err = bodyOf(answer, func(text []byte) error {
		if bytes.Contains(text, []byte("ResourceNotFoundException")) {
			there = false
			return nil
		}
		return fmt.Errorf("%s: %s of %s: %s", s.url, operation, s.table, text)
	})
	return there, err
}

// settling is how much time passes on a fork's clock while its tables become ACTIVE.
const settling = 24 * time.Hour

// Settle moves the fork's clock.
func (s *verifyFork) Settle() error {
	_, err := s.control(http.MethodPost, "/clock/advance", map[string]any{"by": settling.String()})
	return err
}

// Fork makes a fork of the fork.
func (s *verifyFork) Fork() (proof.Service, error) { return s.fork(s.key) }

// Now returns the time of the fork's clock.
func (s *verifyFork) Now() (time.Time, error) {
	text, err := s.control(http.MethodGet, "/clock", nil)
	if err != nil {
		return time.Time{}, err
	}
	var clock struct{ Now time.Time }
	err = json.Unmarshal(text, &clock)
	return clock.Now, s.lost(err)
}

// Expire deletes the expired items of the fork.
func (s *verifyFork) Expire() error {
	_, err := s.control(http.MethodPost, "/expire", nil)
	return err
}

// Close removes the fork, also after an interrupt.
func (s *verifyFork) Close() error {
	_, err := s.admin(context.WithoutCancel(s.ctx), http.MethodDelete, "forks/"+url.PathEscape(s.key), nil)
	_ = s.lost(err)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}

// control sends a request to the admin API of the fork.
func (s *verifyFork) control(method, path string, body any) ([]byte, error) {
	text, err := s.admin(s.ctx, method, "forks/"+url.PathEscape(s.key)+path, body)
	return text, s.lost(err)
}
