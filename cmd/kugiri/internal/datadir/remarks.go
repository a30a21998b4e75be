package datadir

import (
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/transfer"
	"github.com/kugiri-db/kugiri/emulator"
)

// remark logs what the directory holds but the server does not show.
func (d *Settings) remark(e *emulator.Emulator, logger *slog.Logger) {
	seen, unseen := e.Inspect().CountTables()
	if unseen > 0 && e.Inspect().HasIAM() {
		logger.Warn(
			"tables belong to access keys or accounts that --iam does not name, and are not shown",
			slog.Int("tables", unseen), slog.String("data-dir", d.Dir))
	} else if unseen > 0 {
		written, now := "without --shared", "with it"
		if !e.Inspect().SharesData() {
			written, now = "with --shared", "without it"
		}
		logger.Warn("tables were written "+written+" and are not shown "+now+
			`: start as before to have them, and move them with "kugiri export" and "kugiri import"`,
			slog.Int("tables", unseen), slog.String("data-dir", d.Dir))
	}
	if seen+unseen == 0 {
		d.remarkLocal(logger)
	}
}

// remarkLocal logs that the data is that of DynamoDB Local, as after a change of the image's name.
func (d *Settings) remarkLocal(logger *slog.Logger) {
	files, _ := fs.Glob(os.DirFS(d.Dir), "*.db") // fails only for wrong patterns
	for _, file := range files {
		file = filepath.Join(d.Dir, file)
		if !transfer.IsLocal(file) {
			continue
		}
		tables, err := transfer.LocalTables(file)
		if err != nil {
			logger.Warn("the file may be DynamoDB Local's, which kugiri does not read",
				slog.String("file", file), slog.String("error", err.Error()))
			continue
		}
		logger.Warn(
			`the tables of DynamoDB Local are not read: stop it, and move each with "kugiri import --table NAME --create FILE"`,
			slog.String("file", file), slog.Any("tables", tables))
	}
}
