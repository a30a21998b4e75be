package main

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	standard := config{port: 8000, account: "000000000000"}
	with := func(change func(*config)) config {
		c := standard
		change(&c)
		return c
	}
	for _, c := range []struct {
		name string
		args []string
		want config
	}{
		{"nothing", nil, standard},
		{"serve", []string{"serve"}, standard},
		{"port", []string{"serve", "--port", "8123"}, with(func(c *config) { c.port = 8123 })},
		{"port without serve", []string{"--port=8123"}, with(func(c *config) { c.port = 8123 })},
		{"host", []string{"serve", "--host", "::1"}, with(func(c *config) { c.host = "::1" })},
		{"account", []string{"--account", "123456789012"}, with(func(c *config) { c.account = "123456789012" })},
		{"shared", []string{"--shared"}, with(func(c *config) { c.shared = true })},
		{"table delay", []string{"--table-delay", "5s"}, with(func(c *config) { c.delay = 5 * time.Second })},
		{"transaction delay", []string{"--transaction-delay", "200ms"}, with(func(c *config) { c.open = 200 * time.Millisecond })},
		{"version", []string{"--version"}, with(func(c *config) { c.version = true })},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := parse(c.args, io.Discard)
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		want error
		says string
	}{
		{"an unknown flag", []string{"--nope"}, errUsage, "-nope"},
		{"an unknown command", []string{"fly"}, errUsage, `"fly"`},
		{"an argument too many", []string{"serve", "--shared", "x"}, errUsage, `"x"`},
		{"a port that is no number", []string{"--port", "x"}, errUsage, "port"},
		{"an account that is none", []string{"--account", "12"}, errUsage, "12 digits"},
		{"a delay that is none", []string{"--table-delay", "5"}, errUsage, "table-delay"},
		{"help", []string{"--help"}, flag.ErrHelp, "-port"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var says bytes.Buffer
			_, err := parse(c.args, &says)
			assert.ErrorIs(t, err, c.want)
			assert.Contains(t, says.String(), c.says)
		})
	}
}

func TestRunSaysTheVersion(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), []string{"--version"}, &out, io.Discard))
	assert.True(t, strings.HasPrefix(out.String(), "kugiri "))
}

func TestRunServesUntilStopped(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, in := io.Pipe()
	done := make(chan error)
	go func() { done <- run(ctx, []string{"serve", "--host", "127.0.0.1", "--port", "0"}, in, io.Discard) }()
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	_, url, ok := strings.Cut(strings.TrimSpace(line), "listening at ")
	require.True(t, ok, line)

	res, err := http.Get(url)
	require.NoError(t, err)
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	res.Body.Close()
	assert.True(t, strings.HasPrefix(string(body), "healthy"), "%s", body)

	stop()
	assert.NoError(t, <-done)
	_, err = http.Get(url)
	assert.Error(t, err)
}

func TestRunCannotListen(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	err := run(ctx, []string{"--host", "256.0.0.1"}, io.Discard, io.Discard)
	assert.Error(t, err)
}

func TestPause(t *testing.T) {
	pause(t.Context(), time.Nanosecond)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	pause(ctx, 1<<62) // ends because ctx has
}
