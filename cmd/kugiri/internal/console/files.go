package console

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"path"
	"strings"
	"sync"
)

// bundle has the files of the page.
//
//go:embed bundle
var bundle embed.FS

// pagePolicy lets the page run its own script, use its own style, and speak to this server, and
// nothing else. The editor sets the style of elements by script, which needs no permission; its
// style sheets are constructed by script, too.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

// contentTypes has the types of the page's files. Those of the operating system may differ.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
}

// file is a file of the page.
type file struct {
	text       []byte
	tag        string        // ETag
	compressed func() []byte // the text in gzip, made once, when the first client accepts it
}

// files has the files of the page by their names.
var files = sync.OnceValue(func() map[string]file {
	all := map[string]file{}
	entries, err := bundle.ReadDir("bundle")
	if err != nil {
		panic(err) // the bundle is part of the program
	}
	for _, e := range entries {
		text, err := bundle.ReadFile("bundle/" + e.Name())
		if err != nil {
			panic(err)
		}
		sum := sha256.Sum256(text)
		all[e.Name()] = file{text, `"` + hex.EncodeToString(sum[:8]) + `"`,
			sync.OnceValue(func() []byte { return compress(text) })}
	}
	return all
})

// compress returns a text in gzip, at the level that takes half of the time of the best one for
// some 1 % more bytes.
func compress(text []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(text) // neither returns an error: a Buffer has none
	w.Close()
	return b.Bytes()
}

// serveFile serves a file of the page by its path, without Path. "" is the page.
func serveFile(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Path
	if name == "" {
		name = "index.html"
	}
	f, ok := files()[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", contentTypes[path.Ext(name)])
	h.Set("Content-Security-Policy", pagePolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-cache") // ask again each time, by ETag
	h.Set("Vary", "Accept-Encoding")
	h.Set("ETag", f.tag)
	if r.Header.Get("If-None-Match") == f.tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	f.send(w, r)
}

// send sends the content, compressed if the client accepts that.
func (f file) send(w http.ResponseWriter, r *http.Request) {
	text := f.text
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.Header().Set("Content-Encoding", "gzip")
		text = f.compressed()
	}
	w.Write(text) // an error means that the client is gone
}
