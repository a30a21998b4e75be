// Package datadir has the data directory of a server: its flags, its loading, and the form of the
// commands that look after one.
package datadir
