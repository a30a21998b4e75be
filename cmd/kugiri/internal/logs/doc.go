// Package logs writes the logs of commands that serve. Who logs never waits for who reads.
package logs
