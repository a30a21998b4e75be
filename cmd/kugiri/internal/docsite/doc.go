// Package docsite makes the documentation site out of pages that package markdown renders.
//
// Build frames pages and makes the index that the script searches. All links of the files are
// relative, so that they work under any path and without a server.
//
// Generators of sites, such as Hugo and MkDocs, were rejected: they are programs to install, where
// "kugiri docs" shows the documents of its own version without a network.
// Package markdown renders with github.com/yuin/goldmark.
package docsite
