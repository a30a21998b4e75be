package disk

import (
	"fmt"
	"path/filepath"
)

// Names of the files in a directory.
const (
	tablesName = "tables.db"
	lockName   = "lock"
	logPattern = "log-%08d"
)

func tablesPath(dir string) string { return filepath.Join(dir, tablesName) }

func logPath(dir string, number uint64) string {
	return filepath.Join(dir, fmt.Sprintf(logPattern, number))
}
