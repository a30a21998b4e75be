package disk

import (
	"context"
	"log/slog"
)

// condition is something that may fail for a while. It logs when that begins and when it ends.
type condition struct {
	logger       *slog.Logger
	level        slog.Level
	begins, ends string
	dir          string
	failing      bool
}

// set notes the present error, or nil. Calls must not be concurrent.
func (c *condition) set(err error) {
	if c.failing == (err != nil) {
		return
	}
	c.failing = err != nil
	if c.failing {
		c.logger.Log(context.Background(), c.level, c.begins, slog.String("dir", c.dir),
			slog.Any("error", err))
	} else {
		c.logger.Info(c.ends, slog.String("dir", c.dir))
	}
}
