// Package docs holds the documents about the emulator and the recipes, which "kugiri docs" shows.
package docs

import "embed"

// Files has the Markdown of this directory, and the recipes: Go tests whose leading comment is
// their text.
//
//go:embed *.md recipes/*_test.go
var Files embed.FS
