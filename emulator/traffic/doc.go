// Package traffic sums up what an emulator is asked: the capacity of each operation,
// table and index, an explanation of each kind of Query and Scan, the partition keys
// that get most of the load, and which of the access patterns that were declared are
// used, and which others.
//
//	r := traffic.NewRecorder()
//	defer e.Observe(r.Observe)()
//	...
//	fmt.Print(r.Report())
//
// What it keeps is bounded, whatever the clients ask: see MaxRows and MaxPartitions.
package traffic
