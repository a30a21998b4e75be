// Package triggers calls functions with the records of streams, as the event source mappings of AWS
// Lambda do. Each store with records that wait has a reader, which starts a poller
// for each part of a shard.
package triggers
