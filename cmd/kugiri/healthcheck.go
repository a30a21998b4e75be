package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/spf13/cobra"
)

// healthTimeout is how long a healthy server may take to answer.
const healthTimeout = 3 * time.Second

func healthcheckCommand() *cobra.Command {
	var url string
	c := &cobra.Command{
		Use:   "healthcheck",
		Short: "Ask a server whether it is ready; fails if it is not",
		Args:  noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if url == "" {
				url = "http://127.0.0.1:" + portOfEnvironment(os.LookupEnv)
			}
			if err := checkHealth(c.Context(), url); err != nil {
				return fmt.Errorf("%w: is a server running there? --url names another", err)
			}
			_, err := fmt.Fprintln(c.OutOrStdout(), "healthy:", url)
			return err
		},
	}
	c.Flags().StringVar(&url, "url", "", "`URL` of the server (default that of \"kugiri serve\" with this environment)")
	return c
}

// portOfEnvironment is the port that a server with this environment listens at.
func portOfEnvironment(lookup func(string) (string, bool)) string {
	if port, ok := lookup(environmentName("port")); ok && !isLink(port) {
		return port
	}
	return "8000"
}

// checkHealth returns an error unless the server at a URL answers that it is up.
func checkHealth(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, io.LimitReader(res.Body, 64<<10)); err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", url, res.Status)
	}
	return nil
}
