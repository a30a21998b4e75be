package main

import (
	"context"
	_ "embed"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

//go:embed snippet.go.txt
var names string

// imports lists the packages that snippets use without importing them.
var imports = []string{
	"bytes", "context", "errors", "fmt", "io", "net/http", "testing", "time",
	"github.com/aws/aws-sdk-go-v2/aws",
	"github.com/aws/aws-sdk-go-v2/service/dynamodb",
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types",
	"github.com/kugiri-db/kugiri/conventions/guard",
	"github.com/kugiri-db/kugiri/conventions/policy/policyfile",
	"github.com/kugiri-db/kugiri/emulator",
	"github.com/kugiri-db/kugiri/emulator/emulatortest",
	"github.com/kugiri-db/kugiri/emulator/explore",
	"github.com/kugiri-db/kugiri/emulator/fault",
	"github.com/kugiri-db/kugiri/emulator/seed",
	"github.com/kugiri-db/kugiri/emulator/traffic",
	"github.com/kugiri-db/kugiri/emulator/trigger",
	"github.com/kugiri-db/kugiri/storage/disk",
	"awshttp github.com/aws/aws-sdk-go-v2/aws/transport/http",
}

var (
	declaration = regexp.MustCompile(`(?m)^(func|type|var|const|import) `)
	imported    = regexp.MustCompile(`(?m)^import [^\n]*\n`)
)

// goFile returns a file with the block: the block itself, or the snippet with what it lacks.
func goFile(b block) (string, error) {
	if strings.HasPrefix(b.text, "package ") {
		return b.text, nil
	}
	body := imported.ReplaceAllString(b.text, "")
	if !declaration.MatchString(body) {
		used, err := usedNames(body)
		if err != nil {
			return "", fmt.Errorf("%v: %w", b, err)
		}
		body = "func _() {\n" + body + used + "}\n"
	}
	body += names
	file := "package snippet\n\n"
	for _, i := range imports {
		name, path, found := strings.Cut(i, " ")
		if !found {
			name, path = filepath.Base(i), i
		}
		if regexp.MustCompile(`\b` + name + `\.`).MatchString(body) {
			file += fmt.Sprintf("import %s %q\n", name, path)
		}
	}
	text, err := format.Source([]byte(file + body))
	if err != nil {
		return "", fmt.Errorf("%v: %w", b, err)
	}
	return string(text), nil
}

// usedNames returns statements that use the variables of a snippet, as the compiler demands.
func usedNames(body string) (string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc _() {\n"+body+"}", 0)
	if err != nil {
		return "", err
	}
	var list []string
	for _, statement := range file.Decls[0].(*ast.FuncDecl).Body.List {
		if a, ok := statement.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			for _, v := range a.Lhs {
				if name := v.(*ast.Ident).Name; name != "_" && !slices.Contains(list, name) {
					list = append(list, name)
				}
			}
		}
	}
	used := ""
	for _, name := range list {
		used += "_ = " + name + "\n"
	}
	return used, nil
}

// testGo compiles the Go blocks, and runs their tests, in a module beside those of the repository.
func testGo(ctx context.Context, repository, dir string, files, blocks []block) error {
	var tests []string // the packages to test: to link the others takes time
	for _, b := range blocks {
		text, err := goFile(b)
		if err != nil {
			return err
		}
		name := strings.NewReplacer("/", "_", ".", "_").Replace(b.path) + "_" + strconv.Itoa(b.line)
		if strings.Contains(text, "\nfunc Test") {
			tests = append(tests, "./"+name)
		}
		b.file, b.text = "block_test.go", text
		for _, f := range append(files, b) {
			if err := f.write(filepath.Join(dir, name)); err != nil {
				return err
			}
		}
	}
	if len(blocks) == 0 {
		return nil
	}
	steps := `repository=$1; shift
		go mod init example.com/documents && cp "$repository"/go.work.sum . &&
		go work init . "$repository" "$repository"/cmd/kugiri "$repository"/conformance &&
		go work edit -replace "github.com/kugiri-db/kugiri@v0.0.0=$repository" &&
		go vet ./... && { [ $# = 0 ] || go test "$@"; }`
	c := exec.CommandContext(ctx, "bash",
		append([]string{"-c", steps, "bash", repository}, tests...)...)
	c.Dir, c.Env = dir, append(os.Environ(), "GOWORK=")
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("the Go blocks: %w\n%s", err, out)
	}
	return nil
}
