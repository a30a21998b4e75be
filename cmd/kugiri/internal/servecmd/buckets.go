package servecmd

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/spf13/pflag"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/s3store"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/bucket"
	"github.com/kugiri-db/kugiri/emulator/transfers"
	"github.com/kugiri-db/kugiri/emulator/trigger"
)

// bucketSettings say where the buckets are: of exports, imports, bulk puts and what triggers give
// up.
type bucketSettings struct {
	dir      string
	endpoint string
	opened   bucket.Store // the store that options has opened
}

func (s *bucketSettings) register(f *pflag.FlagSet) {
	f.StringVar(&s.dir, "s3-dir", "",
		"`directory` whose directories are the buckets of exports, imports, bulk puts and triggers")
	f.StringVar(&s.endpoint, "s3-endpoint", "",
		"`URL` of the S3 endpoint with those buckets; \"aws\" is S3 itself")
}

func (s *bucketSettings) check() error {
	if s.dir != "" && s.endpoint != "" {
		return errors.New("s3-dir and s3-endpoint: buckets are in one place; give one of them")
	}
	return nil
}

// options opens the buckets, and returns the options that the settings add.
func (s *bucketSettings) options(ctx context.Context) (opts []emulator.Option, err error) {
	switch {
	case s.dir != "":
		if info, err := os.Stat(s.dir); err != nil || !info.IsDir() {
			return nil, fmt.Errorf(
				"s3-dir: %s is not a directory (each directory in it is a bucket)", s.dir)
		}
		s.opened = bucket.Dir(s.dir)
	case s.endpoint != "":
		if s.opened, err = s.store(ctx); err != nil {
			return nil, fmt.Errorf("s3-endpoint: %w", err)
		}
	default:
		return nil, nil
	}
	return []emulator.Option{emulator.WithBuckets(bucket.New(s.opened))}, nil
}

// put returns a function for the buckets that options opens, or nil without buckets.
func (s *bucketSettings) put() trigger.Put {
	if s.dir == "" && s.endpoint == "" {
		return nil
	}
	return func(ctx context.Context, name, key string, content []byte) error {
		at := bucket.Place{Bucket: name, Key: key}
		_, err := s.opened.Put(ctx, at, content, transfers.Encryption{})
		return err
	}
}

// store makes the client of S3. The AWS CLI's rules find the credentials and the region.
func (s *bucketSettings) store(ctx context.Context) (bucket.Store, error) {
	e := endpoint.Endpoint{URL: s.endpoint}
	base, host, err := e.Base()
	if err != nil {
		return nil, err
	}
	cfg, err := endpoint.ConfigFor(ctx, host)
	if err != nil {
		return nil, err
	}
	if cfg.Region == "" {
		cfg.Region = "us-east-1"
	}
	client := endpoint.RestrictedClient(cfg.HTTPClient, s.endpoint)
	return s3store.New(ctx, cfg, aws.ToString(base), client)
}
