// Package admin serves an HTTP API for tests in any language, with what Go tests
// have by the methods of an Emulator: snapshots, forks, the clock, faults.
//
// All paths begin with Prefix, at the same address as the service itself. Bodies are
// JSON both ways, of the Content-Type application/json, or that of curl -d; a body that
// has more or other members than it may have is an error. Errors are
// {"error": "what is wrong"} with a status of 4xx, and change nothing.
//
//	GET    /_kugiri/                          what there is: clock, accessKeys, snapshots, forks, faults
//	GET    /_kugiri/snapshots                 {"snapshots": [{"name", "time"}, ...]}
//	POST   /_kugiri/snapshots                 {"name"}: takes a snapshot
//	POST   /_kugiri/snapshots/NAME/restore    takes everything back to it; it stays
//	DELETE /_kugiri/snapshots/NAME
//	POST   /_kugiri/reset                     removes all tables, or takes them back to the seed
//	POST   /_kugiri/expire                    deletes what has expired: {"deleted": 3}
//	GET    /_kugiri/clock                     {"now": "2026-01-02T03:04:05Z", "held": true}
//	PUT    /_kugiri/clock                     {"now"}: sets a held clock
//	POST   /_kugiri/clock/advance             {"by": "90s"}: moves a held clock, what has expired is deleted
//	GET    /_kugiri/faults                    {"faults": [{"id", "hits", "fault"}, ...]}
//	POST   /_kugiri/faults                    injects a fault, or a list of them, in the form of package fault
//	PUT    /_kugiri/faults                    does so in place of all that there are
//	DELETE /_kugiri/faults                    ends all faults
//	DELETE /_kugiri/faults/ID                 ends one
//	GET    /_kugiri/findings                  {"findings": [...]}: what the policy found, of an emulator that has one;
//	                                          ?rule=, severity, table, index, entity, tenant, operation: only those
//	GET    /_kugiri/forks                     {"forks": [{"accessKey", "from", ...}, ...]}
//	POST   /_kugiri/forks                     {"accessKey", "from", "snapshot", "clock"}: see below
//	DELETE /_kugiri/forks/KEY                 removes a fork with all that it has
//	...    /_kugiri/forks/KEY/...             all of the above, but forks, of the fork
//
// A fork is for one access key: requests that are signed with it see the fork from
// then on, whatever they saw before. It has the tables of the access key "from", in
// all regions, as they are or, with "snapshot", as they were then; without "from" it
// begins as an access key does that was never used: with the seed, if the server has
// one, else without tables. On a server whose data is shared by all access keys it
// has that data, and "from" is not allowed unless the server has a policy. Under a policy
// that does not name the fork's access key, its requests are of the tenant of "from". It has its own snapshots and faults; its
// clock is its own if it is held, as the server's is or as "clock" says: "held", or
// the time that it is to show.
//
// If the service keeps its data in a journal (emulator.Open), what a restore or a
// reset makes of it is kept, too. Snapshots and forks are in memory only.
//
// The API is for tests on one machine. Requests from elsewhere are refused, unless
// AllowRemote is set, and so are those that a proxy passes on (X-Forwarded-For, Forwarded)
// and those that name the server by anything but an address or localhost. Always refused
// are those that a browser's page sends, those that name the server as
// emulator.WithAllowedHosts does not allow, and those without the Token, if there is one:
// a proxy on this machine that does not say for whom it asks passes for this machine.
package admin
