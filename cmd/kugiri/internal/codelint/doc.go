// Package codelint finds where source code builds keys by hand: text with the separator "#" or "@"
// that is put together with values, in place of the helpers of package conventions or of the
// guide's framework. It goes by the syntax trees of Go, TypeScript and JavaScript.
//
// Go is parsed here. TypeScript is parsed by the npm package kugiri with the project's own package
// typescript; it returns the expressions that build strings (Join), so that one function judges
// those of both languages.
package codelint
