// Package docsite makes the documentation site out of pages that package markdown renders.
//
// Build frames pages and makes the index that the script searches. All links of the files are
// relative, so that they work under any path and without a server.
package docsite
