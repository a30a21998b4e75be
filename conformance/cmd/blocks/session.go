package main

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

//go:embed session.sh
var prelude string

// session runs a document.
type session struct {
	repository, home string
	// the command that gives the session a network of its own; none if empty
	network []string
	env     []string
	files   []block // the README's files
}

// variables are those that a reader of the README has set.
var variables = []string{"AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test",
	"AWS_REGION=us-east-1", "AWS_DEFAULT_REGION=us-east-1",
	"AWS_ENDPOINT_URL_DYNAMODB=http://localhost:8000"}

// server matches a server's command, which the session runs in the background.
var server = regexp.MustCompile(`^((?:kugiri serve|go run \./cmd/kugiri)\b[^#&]*)&?\s*(?:#.*)?\n$`)

// other matches the command of a server that runs beside Kugiri, and names its port.
var other = regexp.MustCompile(`^((?:java|kugiri (?:gateway|serve)) [^#&]* --?port \d+)\s*&?\s*\n$`)

// run runs the blocks of a document in order, and compares what they print.
func (s *session) run(ctx context.Context, d document, log io.Writer) error {
	if err := os.MkdirAll(s.home, 0o700); err != nil {
		return err
	}
	for _, b := range append(s.files, d.blocks...) {
		if err := b.write(s.home); err != nil {
			return err
		}
	}
	script := filepath.Join(s.home, ".session.sh")
	if err := os.WriteFile(script, []byte(prelude+s.script(d)), 0o600); err != nil {
		return err
	}
	args := append(append([]string{}, s.network...), "bash", script)
	c := exec.CommandContext(ctx, args[0], args[1:]...)
	c.Dir, c.Stdout, c.Stderr = s.home, log, log
	c.Env = append(s.env, "HOME="+s.home, "repository="+s.repository)
	if d.path != readme {
		c.Env = append(c.Env, variables...)
	}
	c.WaitDelay = time.Second
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s: %w", d.path, err)
	}
	for i, b := range d.blocks {
		if b.lang == "text" && i > 0 && d.blocks[i-1].lang == "sh" {
			if err := b.compare(s.output(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// write writes the block to its file, if it has one.
func (b block) write(dir string) error {
	if b.file == "" {
		return nil
	}
	path := filepath.Join(dir, filepath.FromSlash(b.file))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(b.text), 0o600)
}

// script returns the commands of a document.
func (s *session) script(d document) string {
	var script strings.Builder
	if d.path != readme && slices.ContainsFunc(d.blocks, block.runs) {
		script.WriteString("serve kugiri serve\n")
	}
	for i, b := range d.blocks {
		fmt.Fprintf(&script, "# %v\n", b)
		switch b.lang {
		case "sh":
			list := commands(b.text)
			for j, command := range list {
				line := commandLine(command)
				if j == len(list)-1 && i+1 < len(d.blocks) && d.blocks[i+1].lang == "text" {
					line = "shown " + quote(s.output(i+1)) + "\n" + line + "hidden\n"
				}
				script.WriteString(line)
			}
		case "python", "js", "java":
			if reason := reasonToLeaveOut(b.text); reason != "" {
				fmt.Fprintf(&script, "left_out %s %s\n", quote(b.file), quote(reason))
				break
			}
			fmt.Fprintf(&script, "cat >%s <<'END'\n%sEND\nclient %s %[1]s\n", quote(b.file), b.text,
				b.lang)
		case "yaml":
			if strings.Contains("\n"+b.text, "\ntables:") {
				file := fmt.Sprintf(".policy-%d.yaml", b.line)
				fmt.Fprintf(&script, "cat >%s <<'END'\n%sEND\nkugiri policy check %[1]s\n", file,
					b.text)
			}
		}
	}
	return script.String()
}

// quote returns a text as one word of the shell.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// runs reports whether the block does something in a session.
func (b block) runs() bool {
	return slices.Contains([]string{"sh", "python", "js", "java"}, b.lang)
}

// output returns the file with the output that the text block i shows.
func (s *session) output(i int) string {
	return filepath.Join(s.home, fmt.Sprintf(".output-%d", i))
}

// commands splits a block into commands: lines, and those that a backslash joins.
func commands(text string) (list []string) {
	start := 0
	for i := range len(text) {
		if text[i] == '\n' && (i == 0 || text[i-1] != '\\') {
			list, start = append(list, text[start:i+1]), i+1
		}
	}
	return list
}

// commandLine returns what the session runs for a command.
func commandLine(command string) string {
	if reason := reasonToLeaveOut(command); reason != "" {
		return fmt.Sprintf("left_out %s %s\n", quote(strings.TrimSpace(command)), quote(reason))
	}
	if m := other.FindStringSubmatch(command); m != nil {
		return "beside " + m[1] + "\n"
	}
	if m := server.FindStringSubmatch(command); m != nil {
		return "serve " + m[1] + "\n"
	}
	return command
}

// compare reports an error unless the output in a file has the block's text, or the command was
// left out. Line breaks and spaces count alike.
func (b block) compare(file string) error {
	output, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if bytes.HasPrefix(output, []byte("LEFT OUT: ")) {
		return nil
	}
	rest := strings.Join(strings.Fields(string(output)), " ")
	for part := range strings.SplitSeq(strings.Join(strings.Fields(b.text), " "), "…") {
		_, after, found := strings.Cut(rest, strings.TrimSpace(part))
		if !found {
			return fmt.Errorf("%v: the commands before it print\n%s", b, output)
		}
		rest = after
	}
	return nil
}
