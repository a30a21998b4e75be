// Package kugiri holds the README of the repository, which "kugiri docs" shows. Programs import
// package emulator for the server, and package conventions for keys, policies and designs.
package kugiri

import _ "embed" // for the README

// Readme is the text of README.md.
//
//go:embed README.md
var Readme string
