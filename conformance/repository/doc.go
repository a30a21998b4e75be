// Package repository checks what holds for the whole repository: imports only go down, files of a
// package do not all need each other, no type is too wide, no line too long, no comment a riddle,
// an exported name is used, each reader of bytes from outside is known, and workflows name actions
// by commit. It contains only tests.
//
// Run them with -count=1. The go command keeps the results of tests, and it does not notice when
// files outside the module conformance change.
package repository
