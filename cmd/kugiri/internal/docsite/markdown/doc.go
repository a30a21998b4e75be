// Package markdown renders the pages of the site out of the README, the documents and recipes of
// the packages, the commands, and the admin API's OpenAPI document.
//
// A Page is a page in Markdown. It has the path that its text has in the repository, so that links
// between texts work on GitHub and on the site: emulator/docs/admin.md becomes
// emulator/docs/admin.html, and README.md becomes index.html.
//
// The program embeds the texts as they are, and renders them when "kugiri docs" asks for them.
package markdown
