package datadir

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"github.com/spf13/pflag"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/cli"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/storage/disk"
)

// Settings say where a server keeps its data.
type Settings struct {
	Dir  string // "": in memory
	sync cli.Choice
}

// Register makes the flags.
func (d *Settings) Register(f *pflag.FlagSet) {
	f.StringVar(&d.Dir, "data-dir", "",
		"`directory` to keep the data in, made if it is not there (default: in memory)")
	d.sync.Words = []string{"relaxed", "strict"}
	f.Var(&d.sync, "sync",
		"`level` of what acknowledged writes survive: relaxed, an end of the process; strict, a power cut too (default relaxed)")
}

// Check finds what is wrong with the settings.
func (d *Settings) Check() error {
	if d.sync.Value != "" && d.Dir == "" {
		return errors.New("sync: data in memory is not synced; say where to keep it with data-dir")
	}
	return nil
}

// Open makes an emulator with the data of the directory, or an empty one without a directory. When
// ctx ends before that is done, its error is that of ctx, and the process is to end: the loading
// goes on until then, and may be cut off anywhere, as by a kill.
func (d *Settings) Open(ctx context.Context, opts []emulator.Option,
	logger *slog.Logger) (*emulator.Emulator, error) {
	if d.Dir == "" {
		return emulator.New(opts...), nil
	}
	var e *emulator.Emulator
	var err error
	opened := make(chan struct{})
	go func() {
		defer close(opened)
		e, err = d.load(opts, logger)
	}()
	select {
	case <-opened:
		return e, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// load is open without an end before that of the loading.
func (d *Settings) load(opts []emulator.Option, logger *slog.Logger) (*emulator.Emulator, error) {
	level := disk.Relaxed
	if d.sync.Value != "" {
		level, _ = disk.ParseSync(d.sync.Value) // a choice is one of its words
	}
	var read loading
	ctx, loaded := context.WithCancel(context.Background())
	defer loaded()
	go read.report(ctx, logger)
	db, err := disk.Open(d.Dir, disk.Options{Sync: level, Logger: logger, Progress: read.set})
	if err != nil {
		return nil, fmt.Errorf("data-dir: %w", repairable(notAllowed(err)))
	}
	e, err := emulator.Open(db, opts...)
	if err != nil {
		return nil, errors.Join(repairable(err), db.Close())
	}
	d.remark(e, logger)
	return e, nil
}

// repairable says what helps where a file is damaged.
func repairable(err error) error {
	if damaged := new(disk.DamagedError); errors.As(err, &damaged) {
		return fmt.Errorf(
			"%w (\"kugiri check\" says what is damaged, \"kugiri repair\" keeps the rest)", err)
	}
	return err
}

// notAllowed says more about an error of permissions, as with a volume that belongs to another
// user.
func notAllowed(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf(
			"%w: the user who runs kugiri, %d, must be able to read and write data-dir", err,
			os.Getuid())
	}
	return err
}

// loading is how much of the data is read.
type loading struct{ done, total atomic.Int64 }

func (p *loading) set(done, total int64) {
	p.done.Store(done)
	p.total.Store(total)
}

// report logs every second how far it is, until ctx ends.
func (p *loading) report(ctx context.Context, logger *slog.Logger) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			p.log(logger)
		}
	}
}

func (p *loading) log(logger *slog.Logger) {
	done, total := p.done.Load(), p.total.Load()
	if total == 0 {
		logger.Info("verifying the data")
		return
	}
	logger.Info("loading the data", slog.Int64("entries", done), slog.Int64("of", total),
		slog.Int64("percent", 100*done/total))
}
