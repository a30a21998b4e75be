// Package insights has contributor insights: the keys of tables and indexes that requests use most,
// and those that are throttled most.
package insights
