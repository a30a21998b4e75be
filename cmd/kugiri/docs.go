package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/docsite"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/docsite/markdown"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/listen"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/logs"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/settings"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/terminal"
	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/version"
)

// docsSettings hold the flags of the documentation site.
type docsSettings struct {
	at  listen.Address
	out string
	man string
}

func docsCommand() *cobra.Command {
	var s docsSettings
	c := &cobra.Command{
		Use:   "docs",
		Short: "Serve this documentation as a site, or write its files",
		Long: `Serves the documentation of this version until SIGINT or SIGTERM: the guide, the recipes, and the
reference of commands, of policies and of the admin API. It needs no network.
With --out it writes the files of the site, for any web server, and ends. With --man it writes
a manual page for each command, which "man" reads.`,
		Example: "  kugiri docs\n  kugiri docs --out public\n  kugiri docs --man ~/.local/share/man/man1",
		Args:    cli.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := settings.Fill(c.Flags(), settings.OwnEnvironment(), c.Root()); err != nil {
				return cli.WithHelp(c, err)
			}
			return s.run(c)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	s.at.Register(f, 8080)
	f.StringVar(&s.out, "out", "",
		"`directory` to write the files of the site to, in place of serving them")
	f.StringVar(&s.man, "man", "", "`directory` to write a manual page for each command to")
	settings.DescribeEnvironment(f)
	return c
}

func (s *docsSettings) run(c *cobra.Command) error {
	if err := s.at.Check(); err != nil {
		return cli.WithHelp(c, err)
	}
	if s.man != "" && s.out != "" {
		return cli.WithHelp(c, errors.New("--man and --out do not go together"))
	}
	if s.man != "" {
		return writeManual(c, s.man)
	}
	files, err := siteFiles(c.Root())
	if err != nil {
		return err
	}
	bold := terminal.StyleOf(c.OutOrStdout()).Bold("kugiri:")
	if s.out != "" {
		if err := writeFiles(c.Context(), s.out, files); err != nil {
			return err
		}
		cli.Say(c.OutOrStdout(), bold, len(files), "files written to", s.out)
		return nil
	}
	l, err := s.at.Listen()
	if err != nil {
		return err
	}
	cli.Say(c.OutOrStdout(), bold, "documentation at", "http://"+listen.Reachable(l.Addr())+"/")
	logger, flush := logs.ForClients().Open(c.ErrOrStderr())
	defer flush()
	server := listen.NewServer(siteHandler(files), logger)
	server.WriteTimeout = time.Minute
	return listen.ServeUntil(c.Context(), l, server, c.OutOrStdout())
}

// writeManual writes a manual page for each command.
func writeManual(c *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	c.Root().DisableAutoGenTag = true // the pages of a version are the same each time
	built, _ := time.Parse(time.RFC3339, version.This().Date)
	err := doc.GenManTree(c.Root(), &doc.GenManHeader{
		Title: "KUGIRI", Section: "1", Source: "kugiri " + version.This().Version, Date: &built,
	}, dir)
	if err != nil {
		return err
	}
	cli.Say(c.OutOrStdout(), terminal.StyleOf(c.OutOrStdout()).Bold("kugiri:"),
		"manual pages written to", dir)
	return nil
}

// siteFiles returns the files of the site by their paths. It renders all pages: their list and the
// index of the search need each of them. root has the commands that the reference describes.
func siteFiles(root *cobra.Command) (map[string][]byte, error) {
	texts, err := markdown.Pages()
	if err != nil {
		return nil, err
	}
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	pages, err := markdown.Render(append(texts,
		markdown.Page{Path: docsite.CommandsPath, Text: commandsPage(root)}))
	if err != nil {
		return nil, err
	}
	files, err := docsite.Build(pages, version.This().Version)
	if err != nil {
		return nil, err
	}
	attachments, err := docsite.Attachments()
	maps.Copy(files, attachments)
	return files, err
}

// writeFiles writes files into a directory, which it makes if it is missing. It refuses a directory
// with files of something else than a site.
func writeFiles(ctx context.Context, dir string, files map[string][]byte) error {
	present, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	isSite := func(f fs.DirEntry) bool { return f.Name() == "index.html" }
	if len(present) > 0 && !slices.ContainsFunc(present, isSite) {
		return fmt.Errorf("%s has files and is no site: name a new or an empty directory", dir)
	}
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := errors.Join(ctx.Err(), os.WriteFile(file, text, 0o644)); err != nil {
			return err
		}
	}
	return nil
}

// siteHandler serves files by their paths. A directory is its index.html.
func siteHandler(files map[string][]byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "not by the method "+r.Method, http.StatusMethodNotAllowed)
			return
		}
		name := strings.TrimPrefix(r.URL.Path, "/")
		if name == "" || strings.HasSuffix(name, "/") {
			name += "index.html"
		}
		text, ok := files[name]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", contentTypes[path.Ext(name)])
		w.Header().Set("Content-Security-Policy", docsite.Policy)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(text))
	})
}

// contentTypes has the types of the site's files. Those of the operating system may differ.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".json": "application/json",
}
