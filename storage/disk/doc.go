// Package disk keeps a journal in a directory: a bbolt database, tables.db, with a
// log in front of it, log-00000001 and so on. A file named acknowledged says how far
// the writes were acknowledged.
//
// A batch is appended to the log, together with the others of that moment, by one
// write and at the level Strict one sync; then it is durable. Logs of 8 MB are
// brought into the tables in the background, up to four by one transaction of
// bbolt, and removed: when nothing else is written, or eight are waiting. A start reads
// the tables and the logs together, and brings the logs in afterwards. At the
// end they are brought in too, so that after a proper end the log is empty. The
// process holds a lock on the file named lock, and one on the directory.
//
// # Power cuts
//
// Nothing is relied on but this: what was synced is there afterwards, and of the
// write that came last any of its sectors, the others being zero or beyond the end of the file.
//
//   - At Strict a group is synced before the next is written and before anyone is
//     told. So only the last group may be torn, and nobody was told of that.
//   - A log gets its first group when the one before is synced to its end, at
//     Relaxed too. So only the last log may be torn, and what is there is everything
//     up to some moment: at Relaxed one that is SyncEvery before the cut, or later.
//     A file system that makes appended data durable in another order than it was
//     appended may leave a gap in those last moments, which is reported as damage.
//   - The header of a log is durable before it counts, and the first log before the tables.
//   - bbolt syncs a transaction's pages before the one that makes them valid. The log
//     is removed after that, and if the removal is lost, found to be in the tables already.
//
// # Failures
//
// A group that cannot be written is kept in memory, and everybody who waits for it, or
// wants to write more, is told why. It is tried again until it succeeds. Before that the log is
// mended: what was written of the group is cut off and, after a failed sync, the rest is
// written once more, for the operating system may have forgotten it.
//
// A log that cannot be rotated goes on beyond its 8 MB. Logs that cannot be brought
// into the tables wait until they can, and writers do not wait for them. Neither disturbs
// anybody, so a process that has used up its file descriptors reads and writes as before.
//
// # Damage
//
// A start verifies everything first, then recovers, and removes files last. The
// logs have checksums, and their files and groups are numbered, with a tag of the directory
// in the numbers: so a file of another time or of another directory shows. The tables have a hash in
// each entry and a digest of each bucket; a walk through their pages verifies the structure, so that
// bbolt never sees a page that it would panic over. A file that is missing, or is not as it was
// written, is an error that names it and the offset, and nothing in the directory is changed.
//
// A write may be cut off at the end of the last log, by the end of the process or of
// the power. The file named acknowledged tells such a write from one that somebody was told of:
// it says after each group, and before anybody is told, how far the writes were acknowledged.
// A log that ends before that is damaged. One that goes on with half a group after it is
// sound; the half group is set aside in a file beside the log, and a warning says so.
// After a power cut at Relaxed the last moments may be missing, and a warning says so, too. Only in
// that case is a log that somebody cut short in its last moments taken for sound. The operating
// system's boot ID tells such a case; where there is none (elsewhere than on Linux), each start may follow a power cut.
//
// # Why bbolt, and why with a log
//
// Puts of 1 KB to 200,000 keys at random, on two cores and a virtual disk (Go
// 1.26, bbolt 1.5.0, Pebble 1.1.5; all with group commit, Pebble by itself, bbolt alone with one
// transaction for all puts that wait). Memory is the resident set, of which with bbolt
// most is the file, which is mapped. The strict runs have 20,000 puts.
//
//	relaxed, 16 writers   puts/s   CPU/put   memory    file   program
//	bbolt alone           36,300   32.2 µs   236 MB  224 MB  + 0.9 MB
//	Pebble                77,400   14.0 µs    31 MB   91 MB  +10.8 MB
//	bbolt with a log      70,100   19.1 µs   366 MB  256 MB  + 0.9 MB
//	strict, 16 writers
//	bbolt alone           13,000   47.3 µs    53 MB   48 MB
//	Pebble                30,500   25.4 µs    29 MB   25 MB
//	bbolt with a log      24,800   33.9 µs   131 MB   54 MB
//	strict, one writer
//	bbolt alone            3,300    164 µs
//	Pebble                 5,200    108 µs
//	bbolt with a log       5,800    111 µs
//
// These were with each log brought in as it ended. Now that logs wait for a pause, and
// are brought in together, 200,000 relaxed puts of 16 writers cost 8.3 µs each until the last
// is answered, and with Pebble, at the same time on a machine that had much else to do, 9.2 µs.
//
// A put that goes to bbolt by itself writes all pages from the root down to it;
// with 8 MB at once most of that is shared, and happens in the background. And
// bbolt without syncs is in danger as a whole when the power goes, where a log loses
// its last moments. Pebble, which has such a log itself, is the fastest and
// smallest. But it brings modules of 32 repositories and more than the size of kugiri itself to
// each program that links it; it does not notice that its last log is missing; and its answer
// to a full device is to end the process, where here writes fail and say why. For
// a server that spends some 20 µs on a put otherwise, some µs in the background are
// the smaller price: of the puts of 1 KB that it answers in memory, at 16 at a time, it answers 0.7 when relaxed.
package disk
