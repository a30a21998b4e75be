// Package metering counts capacity units and enforces limits of throughput.
//
//   - A Usage adds up the capacity units that a request consumes of one table, for the answer and
//     for observers, to which a Recorder passes them on.
//   - A Meter keeps a bucket of units for each limit. A Demand is a use of the throughput of a
//     table or a global index: a Meter can Check it, Reserve units for it or Charge them.
package metering
