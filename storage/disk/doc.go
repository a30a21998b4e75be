// Package disk implements journal.Journal in a directory: a bbolt database with a log in front of
// it.
//
// # Files
//
//	lock          other processes see that the directory is in use
//	log-00000001  the latest writes, in logs of 8 MB
//	tables.db     everything else: a bbolt database
//	acknowledged  the marks, which say how far writes were acknowledged
//
// The nouns are those of a write-ahead log. A batch (journal.Batch) is the writes of one commit. A
// group is the batches that are written together; in a log it is a frame. The Seq numbers the
// groups of a directory. The tables are the database to which logs are applied: other systems call
// that a checkpoint.
//
// # The way of a batch
//
//	DB.Append   adds the batch to the next group and returns a ticket
//	DB.Wait     the first goroutine that waits writes the group: one write and, at the level
//	            Strict, one sync. Then the batches are durable. Relaxed syncs every 100 ms.
//	log.rotate  ends the log when it has 8 MB, and begins the next one
//	applyLogs   applies ended logs to the tables, up to four in one transaction, and removes them:
//	            when nothing is written for a moment, or when eight logs wait
//	DB.Load     at a start merges the tables with the logs (see merge), which are applied afterwards
//	DB.Close    applies all logs, so that the log of a directory is empty after a clean end
//
// # Locks
//
// log.mu guards the next group and the tickets. The goroutine that sets log.writing owns the file.
// log.syncing is held while the file is synced or replaced. Only applyLogs, Load and Close use the
// tables, one after the other. A process holds a lock on the file named lock and one on the
// directory.
//
// # Power cuts
//
// The package relies on this: what was synced is there after a power cut. Of the last write, any
// sector may be there, and the others are zeros or beyond the end of the file.
//
//   - At Strict a group is synced before the next one is written and before anybody is told. So
//     only the last group may be incomplete, and nobody was told of it.
//   - A log gets its first group when the log before it is synced to its end, at Relaxed too. So
//     only the last log may be incomplete, and the directory has everything up to some moment. At
//     Relaxed that moment is at most SyncEvery before the cut. A file system that does not keep the
//     order of appended data may leave a gap in those last writes, which is reported as damage.
//   - The header of a log is durable before the log is used, and the first log before the tables.
//   - bbolt syncs the pages of a transaction before the page that makes them valid. A log is
//     removed after that. If the removal is lost, a start finds that the log was applied already.
//
// # Failures
//
// A group that cannot be written is kept in memory. Everybody who waits for it or writes more gets
// the error, until a later attempt succeeds. Before each attempt the log is repaired: the
// incomplete frame is cut off. After a failed sync the rest is written again, because the operating
// system may have dropped it.
//
// A log that cannot be rotated grows beyond its 8 MB. Logs that cannot be applied wait, and writers
// do not wait for them. So a process that has used up its file descriptors reads and writes as
// before.
//
// # Damage
//
// A start first verifies everything, then recovers, and removes files last. Logs have checksums.
// Files and groups are numbered, and the numbers carry the tag of the directory, which reveals
// files of another time or directory. The tables have a hash in each entry and a digest of each
// bucket. A walk through the pages verifies their structure, so that bbolt never sees a page that
// makes it panic. bbolt's own check (Tx.Check) needs a database that is open, and the packages by
// which its command reads the pages of a damaged one are internal. A file that is missing, or is
// not as it was written, is an error that names the file and the offset, and the directory stays
// unchanged.
//
// The end of the process or of the power may leave an incomplete write at the end of the last log.
// The file named acknowledged distinguishes it from a write that somebody was told of: after each
// group, and before anybody is told, it says how far writes were acknowledged. A log that ends
// before that point is damaged. A log that has an incomplete group behind it is sound; the
// incomplete group is saved in a file beside the log, and a warning says so.
//
// After a power cut at Relaxed the last writes may be missing although they were acknowledged, and
// a warning says so. Only then a log whose last writes somebody removed is taken for sound. The
// boot ID of the operating system shows whether there may have been a power cut. On other systems
// than Linux, which have none, any start may follow a power cut.
//
// # Why bbolt, and why with a log
//
// bbolt alone writes all pages from the root to an entry for each put, and without syncs a power
// cut may destroy the whole database. With a log in front of it, 8 MB of puts share those writes,
// which happen in the background, and a power cut costs the last moments at most. Pebble, which has
// such a log itself, is the alternative. When this was decided, it took puts of 1 KB from 16
// writers 10 % (relaxed) and 23 % (strict) faster. But it adds 10.8 MB to each program that links
// it, where bbolt adds 0.9 MB. It does not notice that its last log is missing. And on a full
// device it ends the process, where this package fails writes and says why.
package disk
