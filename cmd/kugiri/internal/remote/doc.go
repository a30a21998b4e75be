// Package remote has the endpoint of a client as the console sees it, and sends requests to its
// admin API.
package remote
