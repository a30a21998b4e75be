// Package metrics exposes what an emulator does and holds, in the text format of Prometheus:
//
//	e := emulator.New(metrics.Options(nil)...) // serves them at /metrics
//
// The metrics are
//
//	kugiri_requests_total{operation,table,code}               calls; code is the type of the error, "OK", or "NoAnswer" if a fault cut the connection
//	kugiri_request_duration_seconds{operation}                histogram, by the emulator's clock
//	kugiri_request_bytes_total{operation}                     bodies received
//	kugiri_response_bytes_total{operation}                    bodies answered, before compression
//	kugiri_capacity_units_total{operation,table,index,kind}   consumed; kind is read or write, index "" for the table itself
//	kugiri_vector_bytes_total{operation,table,index,kind}     consumed of vector indexes
//	kugiri_table_items{table,index}                           now
//	kugiri_table_bytes{table,index}                           now, as DynamoDB counts them
//	kugiri_rule_findings_total{rule,severity}                 requests that break a rule of the policy
//	go_*, process_*                                           of the process
//
// Under a policy with tenants, other machines, proxies and pages get the items and bytes of those
// tables only that hide them from no tenant; nobody gets more where signatures are verified.
//
// A request for several tables counts once, for the table "(several)". It consumes capacity of each
// table. Tables with the same name in several accounts and regions share their series.
//
// The number of series is limited, whatever clients do: the first MaxTables tables with a
// successful request and the first MaxIndexes of their indexes have their own. All others share the
// table or index "(other)".
//
// github.com/VictoriaMetrics/metrics writes the metrics of the process. The others are written
// here, because that library keeps each series until it is unregistered, and tables and indexes go.
package metrics
