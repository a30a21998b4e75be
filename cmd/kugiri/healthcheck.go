package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
)

// healthTimeout is how long a healthy server may take to answer.
const healthTimeout = 3 * time.Second

func healthcheckCommand() *cobra.Command {
	var url string
	var insecure bool
	var format resultFormat
	c := &cobra.Command{
		Use:   "healthcheck",
		Short: "Ask a server whether it is ready; fails if it is not",
		Args:  noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if url == "" {
				url, insecure = serverHere(commandLine("/proc/1/cmdline"), ownEnvironment()), true // it is this machine that answers
			}
			if err := checkHealth(c.Context(), url, insecure); err != nil {
				if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
					return fmt.Errorf("%w: --insecure trusts any", err)
				}
				return fmt.Errorf("%w: is a server running there? --endpoint names another", err)
			}
			return format.print(c, map[string]any{"endpoint": url, "healthy": true}, func(out io.Writer) error {
				_, err := fmt.Fprintln(out, terminal.StyleOf(out).Green("healthy:"), url)
				return err
			})
		},
	}
	c.Flags().StringVar(&url, "endpoint", "", "`URL` of the server (default that of the container's \"kugiri serve\", else of one with this environment)")
	format.register(c)
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

// serverHere is the URL of a server with these arguments and environment, on this machine.
func serverHere(args []string, e environment) string {
	var s serveSettings
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	s.register(flags)
	args, err := translated(args, io.Discard)
	if err != nil || flags.Parse(args) != nil || s.load(flags, e) != nil {
		return "http://127.0.0.1:8000" // the server has said what is wrong
	}
	host, scheme := s.at.host, "http"
	if ip := net.ParseIP(host); host == "" || host == "localhost" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	if s.tls.on() {
		scheme = "https"
	}
	return scheme + "://" + net.JoinHostPort(host, strconv.Itoa(s.at.port))
}

// checkHealth returns an error unless the server at a URL answers that it is up.
func checkHealth(ctx context.Context, url string, insecure bool) error {
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(url, "/")+"/readyz", nil)
	if err != nil {
		return err
	}
	if r.URL.Scheme == "https" && !insecure {
		trustPublicRoots()
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: insecure}}}
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
