package disk

import (
	"context"
	"log/slog"
)

// condition is something that may fail for a while. The log says when that begins,
// and when it ends.
type condition struct {
	logger       *slog.Logger
	level        slog.Level
	begins, ends string
	dir          string
	failing      bool
}

// set tells with what error it fails, nil if it does not. There must be no other call at the same time.
func (c *condition) set(err error) {
	if c.failing == (err != nil) {
		return
	}
	c.failing = err != nil
	if c.failing {
		c.logger.Log(context.Background(), c.level, c.begins, slog.String("dir", c.dir), slog.Any("error", err))
	} else {
		c.logger.Info(c.ends, slog.String("dir", c.dir))
	}
}
