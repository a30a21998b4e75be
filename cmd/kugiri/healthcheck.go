package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/endpoint"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/servecmd"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/settings"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
)

// healthTimeout is how long a healthy server may take to answer.
const healthTimeout = 3 * time.Second

func healthcheckCommand() *cobra.Command {
	var url string
	var insecure bool
	var format cli.ResultFormat
	c := &cobra.Command{
		Use:   "healthcheck",
		Short: "Ask a server whether it is ready; fails if it is not",
		Args:  cli.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if url == "" {
				// it is this machine that answers
				url, insecure = servecmd.Here(commandLine("/proc/1/cmdline"),
					settings.OwnEnvironment(), c.Root()), true
			}
			if err := checkHealth(c.Context(), url, insecure); err != nil {
				if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
					return fmt.Errorf("%w: --insecure trusts any", err)
				}
				return fmt.Errorf("%w: is a server running there? --endpoint names another", err)
			}
			return format.Print(c,
				map[string]any{"endpoint": url, "healthy": true}, func(out io.Writer) error {
					_, err := fmt.Fprintln(out, terminal.StyleOf(out).Green("healthy:"), url)
					return err
				})
		},
	}
	c.Flags().StringVar(&url, "endpoint", "",
		"`URL` of the server (default that of the container's \"kugiri serve\", else of one with this environment)")
	format.Register(c)
	c.Flags().BoolVar(&insecure, "insecure", false, "trust any certificate of an https server")
	return c
}

// commandLine returns the arguments of a process by its file in /proc, if it is a
// kugiri, as the first one of a container is; otherwise none.
func commandLine(file string) []string {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	args := strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
	if name := path.Base(args[0]); name != "kugiri" && name != "java" {
		return nil
	}
	return args[1:]
}

// checkHealth returns an error unless the server at a URL answers that it is up.
func checkHealth(ctx context.Context, url string, insecure bool) error {
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet,
		strings.TrimSuffix(url, "/")+"/readyz", nil)
	if err != nil {
		return err
	}
	if r.URL.Scheme == "https" && !insecure {
		endpoint.TrustPublicRoots()
	}
	client := &http.Client{
		Transport: &http.Transport{DisableKeepAlives: true,
			TLSClientConfig: &tls.Config{InsecureSkipVerify: insecure}},
	}
	res, err := client.Do(r)
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
