// Package layers checks the structure of the module: imports only go down, files of a package do
// not all need each other, no type is too wide, no line too long, and workflows name actions by
// commit. It contains only tests.
package layers
