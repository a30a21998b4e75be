// Package designs is "kugiri design": a file for each command below it.
package designs
