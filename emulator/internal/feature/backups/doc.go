// Package backups has on-demand backups, point-in-time recovery, and restores.
package backups
