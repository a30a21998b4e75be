// Package docs holds the documents about policies, which "kugiri docs" shows.
package docs

import "embed"

// Files has the Markdown of this directory.
//
//go:embed *.md
var Files embed.FS
