// Package console contains the tests of the console: each does in a real browser, on a real server,
// what a person would. They need Chromium, and are skipped without it. CONSOLE_BROWSER chooses
// which one: "shell" is the headless shell, "full" a Chromium with windows, "none" skips them.
// Where there is only a Chromium with windows, one of four tests runs unless it is chosen. What a
// test waits for may take 20 seconds.
//
// A test opens a page, finds things by the names that a screen reader says, and waits for what a
// person would see. At its end the page must have reported no error and asked no other server, and
// a picture of it is kept if the test failed.
package console
