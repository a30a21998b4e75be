package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/prices"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/remote"
	"github.com/kugiri-db/kugiri/conventions/pricing"
	"github.com/kugiri-db/kugiri/emulator/traffic"
	"github.com/kugiri-db/kugiri/emulator/traffic/patternfile"
)

// costQuestion asks a server's admin API what the requests that it has recorded cost.
type costQuestion struct {
	endpoint.Endpoint
	format   cli.ResultFormat
	fork     string
	token    string
	prices   string
	patterns string
	span     time.Duration
}

func costCommand() *cobra.Command {
	x := new(costQuestion)
	c := &cobra.Command{
		Use:   "cost",
		Short: "Say what the recorded requests of a server cost on DynamoDB",
		Long: "Say what the recorded requests of a server with --admin cost on DynamoDB, on demand and with provisioned\n" +
			"capacity: by table, index and access pattern, with storage, streams and backups, for the recorded time\n" +
			"and for a month of the same, in the table classes Standard and Standard-IA.\n\n" +
			"\"curl -X POST ENDPOINT/_kugiri/traffic\" begins to record.",
		Example: "  kugiri cost\n  kugiri cost --span 1h --patterns patterns.yaml --prices prices.json --format json",
		Args:    cli.NoArguments,
		RunE: cli.Abandoned("nothing was calculated", func(c *cobra.Command, _ []string) error {
			cost, err := x.ask(c.Context())
			if err != nil {
				return err
			}
			return x.format.Print(c, cost, func(out io.Writer) error {
				_, err := io.WriteString(out, cost.String())
				return err
			})
		}),
	}
	x.URLFlag(c.Flags(), "endpoint", "`URL` of the server")
	c.Flags().DurationVar(&x.span, "span", 0,
		"`time` that the requests stand for, such as 1h, which a month repeats (default the time since the recording began)")
	c.Flags().StringVar(&x.patterns, "patterns", "",
		"YAML or JSON `file` with access patterns, for their names")
	c.Flags().StringVar(&x.prices, "prices", "",
		"JSON `file` with prices, as for \"kugiri design report\" (default those of us-east-1)")
	c.Flags().StringVar(&x.fork, "fork", "", "access `key` of the fork whose requests are meant")
	c.Flags().StringVar(&x.token, "admin-token", "", "`token` of the admin API")
	x.format.Register(c)
	return c
}

// costRequest is the body that the admin API takes.
type costRequest struct {
	Seconds  *float64          `json:"seconds,omitempty"`
	Prices   *pricing.Prices   `json:"prices,omitempty"`
	Patterns []traffic.Pattern `json:"patterns,omitempty"`
}

// ask asks the server.
func (x *costQuestion) ask(ctx context.Context) (*traffic.Cost, error) {
	body, err := x.body()
	if err != nil {
		return nil, err
	}
	if x.URL == "aws" {
		return nil, errors.New(
			"DynamoDB does not record requests: want the --endpoint of a Kugiri with --admin")
	}
	client, err := x.Client(ctx)
	if err != nil {
		return nil, err
	}
	path := "traffic/cost"
	if x.fork != "" {
		path = "forks/" + url.PathEscape(x.fork) + "/" + path
	}
	text, err := remote.AdminOf(remote.Of(client), x.token)(ctx, http.MethodPost, path, body)
	if err != nil {
		return nil, fmt.Errorf("the admin API of %s, which \"kugiri serve --admin\" has: %w", x.URL,
			endpoint.NoServer(err, client))
	}
	cost := new(traffic.Cost)
	if err := json.Unmarshal(text, cost); err != nil {
		return nil, fmt.Errorf("the answer of %s: %w", x.URL, err)
	}
	return cost, nil
}

// body returns the body of the request.
func (x *costQuestion) body() (*costRequest, error) {
	in := new(costRequest)
	if x.span < 0 {
		return nil, errors.New("--span is a time above 0")
	}
	if seconds := x.span.Seconds(); seconds > 0 {
		in.Seconds = &seconds
	}
	if x.prices != "" {
		prices, err := prices.Read(x.prices)
		if err != nil {
			return nil, err
		}
		in.Prices = &prices
	}
	if x.patterns != "" {
		f, err := os.Open(x.patterns)
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }()
		if in.Patterns, err = patternfile.Read(f); err != nil {
			return nil, fmt.Errorf("%s: %w", x.patterns, err)
		}
	}
	return in, nil
}
