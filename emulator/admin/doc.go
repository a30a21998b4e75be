// Package admin serves an HTTP API for tests in any language. It offers the methods of an Emulator
// that Go tests use: snapshots, forks, the clock and faults.
//
// All paths begin with Prefix, at the address of the service itself. Bodies are JSON in both
// directions, with the Content-Type application/json, or the one that curl -d sends. An unknown
// member is an error. The answer to an error is {"error": "text"} with a 4xx status. A request that
// fails changes nothing.
//
//	GET    /_kugiri/                          what there is: clock, accessKeys, snapshots, forks, faults
//	GET    /_kugiri/openapi.json              this API as an OpenAPI 3.1 document
//	GET    /_kugiri/snapshots                 {"snapshots": [{"name", "time"}, ...]}
//	POST   /_kugiri/snapshots                 {"name"}: takes a snapshot
//	POST   /_kugiri/snapshots/NAME/restore    takes everything back to it; it stays
//	DELETE /_kugiri/snapshots/NAME
//	POST   /_kugiri/reset                     removes all tables, or takes them back to the seed
//	POST   /_kugiri/expire                    deletes what has expired: {"deleted": 3}
//	GET    /_kugiri/expirations               {"clock", "expirations": [{"table", "attribute", "time", "key"}, ...]}: what
//	                                          TTL deletes next; ?limit=: 100 without it
//	GET    /_kugiri/clock                     {"now": "2026-01-02T03:04:05Z", "held": true}
//	PUT    /_kugiri/clock                     {"now"}: sets a held clock
//	POST   /_kugiri/clock/advance             {"by": "90s"}: moves a held clock, what has expired is deleted
//	GET    /_kugiri/faults                    {"faults": [{"id", "hits", "places", "missed", "fault"}, ...]}: missed is of those with "mustHit"
//	POST   /_kugiri/faults                    injects a fault, or a list of them, in the form of package fault
//	PUT    /_kugiri/faults                    does so in place of all that there are
//	DELETE /_kugiri/faults                    ends all faults, and says what they were
//	DELETE /_kugiri/faults/ID                 ends one
//	POST   /_kugiri/explain                   {"accessKey", "region", "operation", "request", "headers"}: see below
//	GET    /_kugiri/findings                  {"findings": [...]}: what the policy found, of an emulator that has one;
//	                                          ?rule=, severity, table, index, entity, tenant, operation: only those
//	GET    /_kugiri/insights                  {"insights": [...]}: what the rules of contributor insights have found, by minute
//	GET    /_kugiri/cache                     {"clock", "entries": [...], "tables": [...], "savedReadUnits"}: what the caches of the
//	                                          accelerator hold, the most recently used first; ?limit=: 100 of each cache without it
//	DELETE /_kugiri/cache                     empties them
//	POST   /_kugiri/traffic                   records requests from now on
//	GET    /_kugiri/traffic                   {"since", "until", "requests", "operations", "latencies", "capacity", "reads",
//	                                          "partitions", "keys", "writes"}: what was recorded; "keys" are the kinds of
//	                                          reads by key and "writes" those of writes, with examples; "kugiri design
//	                                          from" reads them
//	GET    /_kugiri/traffic/operations        the latest 1000 requests; ?after=ID: only those after that with the id
//	GET    /_kugiri/traffic/operations/ID     {"id", "request", "answer", "kept", ...}: the bodies of one of them, 16 KB of each
//	GET    /_kugiri/traffic/cost              what the recorded requests cost: a traffic.Cost
//	POST   /_kugiri/traffic/cost              {"seconds", "prices", "patterns"}: so, with own prices and access patterns, and as if
//	                                          the requests had taken so many seconds
//	DELETE /_kugiri/traffic                   ends the recording, and returns it
//	GET    /_kugiri/forks                     {"forks": [{"accessKey", "from", "ofFork", ...}, ...]}
//	POST   /_kugiri/forks                     {"accessKey", "from", "snapshot", "clock"}: see below
//	DELETE /_kugiri/forks/KEY                 removes a fork with all that it has
//	...    /_kugiri/forks/KEY/...             all of the above, but forks, of the fork
//	POST   /_kugiri/explorations              {"name", "workers", ...}: begins an exploration; see below
//	GET    /_kugiri/explorations              {"explorations": [{"id", "name", "state", "runs", "failures", ...}, ...]}
//	DELETE /_kugiri/explorations              forgets those that have ended
//	GET    /_kugiri/explorations/ID           {"id", "name", "state", ..., "report"}: with what it has found, once it has ended
//	POST   /_kugiri/explorations/ID/next      {"do": "run", "run", "workers"}: what the program has to do next; waits up to 20 s
//	POST   /_kugiri/explorations/ID/ended     {"run", "worker", "error", "values"}: a worker has ended; {"again"}: it begins anew
//	                                          and of a consumer: {"run", "worker", "delivery", "error", "response"}
//	POST   /_kugiri/explorations/ID/checked   {"run", "error"}: what the checks of a run have found
//	DELETE /_kugiri/explorations/ID           ends it; what it has found is kept
//	POST   /_kugiri/compare                   {"before": STATE, "after": STATE}: the tables that differ, with how many items
//	POST   /_kugiri/compare/items             {"before", "after", "region", "table", "from", "limit"}: the items that differ
//
// A STATE is {"accessKey", "snapshot"}: what that access key sees, now or in a snapshot of its
// fork, or of the server if it has none. The items of a table come in pages: "from" is the "next"
// of the page before. Added items have only "after", removed ones only "before".
//
// To explain a request is to send it to a fork that is thrown away: nothing changes, and no
// capacity is consumed. "request" is the body of an operation on items, such as {"TableName":
// "users"} for a Scan. The answer is a traffic.Plan: the key condition and the items of each page,
// the units, and why it takes them. A request that would be refused has a plan, too, with its
// error. "headers" are those of a request besides the usual ones, such as that of a tenant.
//
// A fork belongs to one access key. From then on, requests signed with that key see the fork and
// nothing else. With "from", the fork has the tables of that access key in all regions, in their
// current state or in that of "snapshot". If that access key has a fork, these are the tables and
// the snapshots of its fork. Without "from" it begins like an access key that was never used: with
// the seed if the server has one, and otherwise empty. If all access keys of a server share their
// data, the fork has that data, and "from" names another fork, or is allowed under a policy. If the
// policy does not name the fork's access key, its requests belong to the tenant of "from"; without
// "from" they belong to no tenant, and a policy with callers refuses them. A fork has its own
// snapshots and faults. It has its own clock if the server's clock is held or if
// "clock" is set to "held" or to the time to show.
//
// An exploration runs a program's workers in many orders of their requests, each time on a fork of
// what "from" sees, with the faults that it allows: see package remote of emulator/explore. It
// needs a program that starts the workers of each run, each with the access key that the step
// names, and says when they have ended. The last step has the report. "go doc ./emulator/explore"
// has the nouns. There are at most 16 explorations, and one that is idle for two minutes is
// ended. The list also has the last 16 that have ended, with at most 1 MB of failures of each.
//
// If the service keeps its data in a journal (emulator.Open), it also keeps the result of a restore
// or a reset. Snapshots and forks are in memory only.
//
// The API is for tests on one machine. Unless AllowRemote is set, it refuses requests from other
// machines, requests that a proxy forwards (X-Forwarded-For, Forwarded), and requests whose Host is
// neither an address nor localhost. RemoteToken allows those that have it. The API always refuses
// requests that a page in a browser sends, unless OwnPages is set and the page has the origin of
// the server. It also refuses requests with a Host that emulator.WithAllowedHosts does not allow,
// and requests without the Token if there is one. It cannot recognize a proxy on this machine that
// adds no headers: its requests look local.
package admin
