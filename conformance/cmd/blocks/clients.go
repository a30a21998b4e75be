package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// client is a language whose tests run with the packages that a project pins.
type client struct {
	variable string // of the environment of a session: the directory of the prepared project
	project  string
	files    []string // of the project
	tool     string
	install  string // the commands that install the packages, in a copy of the project
}

var clients = []client{
	{"PYTHON_CLIENT", "conformance/clients/python", []string{"requirements.txt"}, "python3",
		"python3 -m venv . && bin/pip install --quiet --require-virtualenv -r requirements.txt"},
	{"NODE_CLIENT", "conformance/clients/node", []string{"package.json", "package-lock.json"}, "npm",
		"npm ci --ignore-scripts --no-audit --no-fund"},
	// Maven fetches what it runs tests with when it runs one.
	{"JAVA_CLIENT", "conformance/clients/java", []string{"pom.xml"}, "mvn",
		"mkdir -p src/test/java && echo 'class FirstTest { @org.junit.jupiter.api.Test void first() {} }' >src/test/java/FirstTest.java" +
			" && mvn --batch-mode --quiet test"},
}

// prepare installs the packages once, and returns the variable with the directory. It returns ""
// if the tool is missing.
func (c client) prepare(ctx context.Context, cache string) (string, error) {
	if _, err := exec.LookPath(c.tool); err != nil {
		return "", nil
	}
	sum := sha256.New()
	for _, name := range c.files {
		text, err := os.ReadFile(filepath.Join(c.project, name))
		if err != nil {
			return "", err
		}
		sum.Write(text)
	}
	dir := filepath.Join(cache, filepath.Base(c.project)+"-"+hex.EncodeToString(sum.Sum(nil)[:8]))
	set := c.variable + "=" + dir
	done := filepath.Join(dir, ".done")
	if _, err := os.Stat(done); err == nil {
		return set, nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	if err := os.CopyFS(dir, os.DirFS(c.project)); err != nil {
		return "", err
	}
	install := exec.CommandContext(ctx, "bash", "-c", c.install)
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", c.project, err, out)
	}
	return set, os.WriteFile(done, nil, 0o600)
}
