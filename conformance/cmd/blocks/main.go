package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

const readme = "README.md"

// shared are the documents whose files all sessions have.
var shared = []string{readme, "conventions/docs/start.md"}

// patterns match the documents.
var patterns = []string{readme, "emulator/docs/*.md", "conventions/docs/*.md"}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "blocks:", err)
		os.Exit(1)
	}
}

// run runs the documents. All sessions have the files of those that are shared.
func run(ctx context.Context, paths []string) error {
	documents, err := readDocuments(paths)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "kugiri-documents-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var files []block
	for _, path := range shared {
		d, err := readDocument(path)
		if err != nil {
			return err
		}
		files = append(files, filesOf(d)...)
	}
	if err := check(documents); err != nil {
		return err
	}
	repository, err := os.Getwd()
	if err != nil {
		return err
	}
	if err := testGo(ctx, repository, filepath.Join(dir, "go"), files,
		goBlocks(documents)); err != nil {
		return err
	}
	s := &session{repository: repository, files: files, network: network()}
	if s.env, err = environment(ctx, dir); err != nil {
		return err
	}
	for _, d := range documents {
		s.home = filepath.Join(dir, strings.ReplaceAll(d.path, "/", "_"))
		if err := s.report(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

func readDocuments(paths []string) (documents []document, err error) {
	if len(paths) == 0 {
		for _, p := range patterns {
			found, err := filepath.Glob(p)
			if err != nil || found == nil {
				return nil, errors.Join(err,
					fmt.Errorf("there is no %s: run in the root of the repository", p))
			}
			paths = append(paths, found...)
		}
	}
	for _, p := range paths {
		d, err := readDocument(p)
		if err != nil {
			return nil, err
		}
		documents = append(documents, d)
	}
	return documents, nil
}

func filesOf(d document) (files []block) {
	for _, b := range d.blocks {
		if b.file != "" && b.file != scripts[b.lang] && b.lang != "go" {
			files = append(files, b)
		}
	}
	return files
}

// check parses the blocks of data, and refuses languages that nothing runs.
func check(documents []document) error {
	for _, d := range documents {
		for i, b := range d.blocks {
			var err error
			switch b.lang {
			case "sh", "go", "log", "ini", "python", "js":
			case "rust": // the matrix of clients runs it: see TestRustPage there
			case "java":
				if b.file == "" {
					err = errors.New("the line before the block does not name its file")
				}
			case "text":
				if i == 0 || d.blocks[i-1].lang != "sh" {
					err = errors.New("there are no commands before it that print it")
				}
			case "xml":
				err = xml.Unmarshal([]byte(b.text), &struct{}{})
			case "yaml":
				err = yaml.Unmarshal([]byte(b.text), new(any))
			case "json":
				err = parseJSON(b.text)
			default:
				err = errors.New("nothing runs this language")
			}
			if err != nil {
				return fmt.Errorf("%v: %w", b, err)
			}
		}
	}
	return nil
}

// parseJSON parses one or more values.
func parseJSON(text string) error {
	values := json.NewDecoder(strings.NewReader(text))
	for {
		err := values.Decode(new(any))
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func goBlocks(documents []document) (blocks []block) {
	for _, d := range documents {
		for _, b := range d.blocks {
			if b.lang != "go" {
				continue
			}
			if reason := reasonToLeaveOut(b.text); reason != "" {
				fmt.Printf("LEFT OUT: %v (%s)\n", b, reason)
				continue
			}
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// network returns the command that runs another in a network of its own, or nothing if the system
// allows none.
func network() []string {
	command := []string{"unshare", "-rn", "sh", "-c", `ip link set lo up && exec "$@"`, "sh"}
	if exec.Command(command[0], append(command[1:], "true")...).Run() != nil {
		return nil
	}
	return command
}

// environment returns the variables of all sessions, and builds and installs what they use.
func environment(ctx context.Context, dir string) ([]string, error) {
	bin := filepath.Join(dir, "bin")
	build := exec.CommandContext(ctx, "go", "build", "-o", bin+"/", "./cmd/kugiri",
		"./conformance/cmd/scorecard")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, err
	}
	env := []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "MAVEN_OPTS=-Duser.home=" + home,
		localJars + "=" + os.Getenv(localJars)}
	for _, name := range []string{"GOPATH", "GOCACHE", "GOMODCACHE", "GOFLAGS"} {
		value, err := exec.CommandContext(ctx, "go", "env", name).Output()
		if err != nil {
			return nil, err
		}
		env = append(env, name+"="+strings.TrimSpace(string(value)))
	}
	// git does not trust the repository in a network of its own
	env[len(env)-1] += " -buildvcs=false"
	for _, l := range languages {
		if l.project.Missing() != "" {
			continue
		}
		dir, err := l.project.Prepare(ctx, filepath.Join(cache, "kugiri-documents"))
		if err != nil {
			return nil, err
		}
		env = append(env, l.variable+"="+dir)
	}
	return env, nil
}

// report runs a document and prints what was left out; all that it prints, if it fails.
func (s *session) report(ctx context.Context, d document) error {
	began := time.Now()
	var log bytes.Buffer
	err := s.run(ctx, d, &log)
	if err != nil {
		fmt.Printf("%s\n", log.Bytes())
		return err
	}
	out, err := os.ReadFile(filepath.Join(s.home, ".left-out"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	fmt.Printf("%s%s: %d blocks, %.1f s\n", out, d.path, len(d.blocks), time.Since(began).Seconds())
	return nil
}
