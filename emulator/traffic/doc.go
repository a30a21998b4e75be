// Package traffic reports the traffic of an emulator: the capacity that each operation consumes of
// each table and index, an explanation of each kind of Query and Scan, the partition keys with the
// most load, and the access patterns that are used, both declared and undeclared. Recorder.Cost
// says what a month of the traffic costs.
//
//	r := traffic.NewRecorder()
//	defer e.Observe(r.Observe)()
//	...
//	fmt.Print(r.Report())
//
// A recorder uses a limited amount of memory, whatever clients do: see MaxRows and MaxPartitions.
package traffic
