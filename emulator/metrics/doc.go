// Package metrics shows in the text format of Prometheus what an emulator is asked
// and what it holds:
//
//	e := emulator.New(metrics.Options()...) // serves them at /metrics
//
// The metrics are
//
//	kugiri_requests_total{operation,table,code}               calls; code is the type of the error, "OK", or "NoAnswer" if a fault cut the connection
//	kugiri_request_duration_seconds{operation}                histogram, by the emulator's clock
//	kugiri_request_bytes_total{operation}                     bodies received
//	kugiri_response_bytes_total{operation}                    bodies answered, before compression
//	kugiri_capacity_units_total{operation,table,index,kind}   consumed; kind is read or write, index "" for the table itself
//	kugiri_table_items{table,index}                           now
//	kugiri_table_bytes{table,index}                           now, as DynamoDB counts them
//	kugiri_rule_findings_total{rule,severity}                 requests that break a rule of the policy
//	go_*, process_*                                           of the process
//
// A request for several tables is one of the table "(several)", and consumes of each.
// What several access keys and regions hold in tables of the same name is added up.
//
// The number of series is bounded, whatever the clients ask: the first MaxTables
// tables that a request succeeds for have their own, and MaxIndexes of their indexes;
// what else there is is counted for the table or index "(other)".
package metrics
