package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

const (
	installTime = 20 * time.Minute
	runTime     = 3 * time.Minute
)

// runner runs rows.
type runner struct {
	server string // the program
	cache  string // a directory, for what is installed
}

// run runs a row against a server of its own. Its error is that of the machine or of the program;
// what the client found is in the result.
func (m runner) run(ctx context.Context, r *row) (result, error) {
	ctx, cancel := context.WithTimeout(ctx, installTime)
	defer cancel()
	dir, err := r.project.prepare(ctx, m.cache)
	if err != nil {
		return result{}, err
	}
	ctx, cancel = context.WithTimeout(ctx, runTime)
	defer cancel()
	url, stop, err := m.serve(ctx, dir, r.Serve)
	if err != nil {
		return result{}, err
	}
	defer stop()
	return r.runAt(ctx, dir, url, m.server)
}

// runAt runs a row in a directory against the server at url. binary is the server's program, for
// rows that start servers themselves.
func (r *row) runAt(ctx context.Context, dir, url, binary string) (result, error) {
	var stdout, stderr bytes.Buffer
	program := exec.CommandContext(ctx, "bash", "-c", r.Run)
	program.Dir = dir
	program.Env = append(r.environment(url), "KUGIRI_BINARY="+binary)
	program.Stdout, program.Stderr = &stdout, &stderr
	program.WaitDelay = time.Second // children may keep its output open
	err := program.Run()
	found := parse(stdout.String(), r.Steps)
	if ctx.Err() != nil {
		err = fmt.Errorf("it took more than %v", runTime)
	}
	if err != nil || len(found.faults) > 0 {
		return found, errors.Join(err, errors.New(stdout.String()+stderr.String()))
	}
	return found, nil
}

// environment is that of a row. The variables of the SDKs lead all rows to the server, so that a
// client shows that it reads them, or that it does not.
func (r *row) environment(url string) []string {
	all := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "AWS_ENDPOINT_URL") // also those of this machine
	})
	all = append(all, "MATRIX_SERVER="+url, "AWS_ENDPOINT_URL_DYNAMODB="+url,
		"AWS_ENDPOINT_URL_DYNAMODB_STREAMS="+url, "AWS_REGION=us-east-1",
		"AWS_DEFAULT_REGION=us-east-1",
		"AWS_ACCESS_KEY_ID=AKIDCLIENT", "AWS_SECRET_ACCESS_KEY=secret",
		"AWS_EC2_METADATA_DISABLED=true",
		"GOWORK=off", "GOFLAGS=")
	if r.Endpoint == "variable" {
		return all
	}
	return append(all, "DYNAMODB_ENDPOINT="+url)
}

// serve starts a server in a directory. stop ends it.
func (m runner) serve(ctx context.Context, dir string, flags []string) (url string, stop func(),
	err error) {
	args := append([]string{"serve", "--host", "127.0.0.1", "--port", "0", "--admin"}, flags...)
	server := exec.CommandContext(ctx, m.server, args...)
	var log bytes.Buffer
	server.Dir, server.Stderr = dir, &log
	stdout, err := server.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := server.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	_, url, found := strings.Cut(strings.TrimSpace(line), "listening at ")
	if err != nil || !found {
		stop()
		return "", nil, fmt.Errorf("the server does not start: %s%s", line, log.String())
	}
	return url, stop, nil
}
