package admin

import (
	"net/http"

	"github.com/kugiri-db/kugiri/emulator"
)

// route is a path of the API with a method, and what the OpenAPI document says of it.
type route struct {
	method, path string
	id           string // operationId
	summary      string
	in, out      string // names of the schemas of the request, "" for none, and of the answer
	status       int    // the status of the answer
}

type serverRoute struct {
	route
	serve func(*admin, *http.Request) (int, any, error)
}

type scopeRoute struct {
	route
	serve func(*scope, *http.Request) (int, any, error)
}

// serverRoutes returns the paths that only the server has.
func serverRoutes() []serverRoute {
	return []serverRoute{
		{route{http.MethodGet, "/", "showOverview", "Lists what there is", "", "Overview", 200},
			(*admin).overview},
		{route{http.MethodGet, "/openapi.json", "showOpenAPI", "Returns this document", "",
			"OpenAPI", 200}, (*admin).openAPI},
		{route{http.MethodGet, "/forks", "listForks", "Lists the forks", "", "Forks", 200},
			(*admin).listForks},
		{route{http.MethodPost, "/forks", "addFork", "Makes a fork", "NewFork", "Fork", 201},
			(*admin).addFork},
		{route{http.MethodDelete, "/forks/{key}", "removeFork",
			"Removes a fork with all that it has", "", "Empty", 200}, (*admin).removeFork},
		{route{http.MethodPost, "/compare", "compare",
			"Lists the tables that differ between two states", "States", "TableComparisons", 200},
			(*admin).compare},
		{route{http.MethodPost, "/compare/items", "compareItems",
			"Lists the items of a table that differ between two states", "TableStates",
			"ItemComparisons", 200}, (*admin).compareItems},
	}
}

// explorationRoutes returns the paths of explorations.
func explorationRoutes() []serverRoute {
	return []serverRoute{
		{route{http.MethodPost, "/explorations", "addExploration", "Begins an exploration",
			"NewExploration", "NewID", 201}, (*admin).addExploration},
		{route{http.MethodGet, "/explorations", "listExplorations",
			"Lists the explorations, the latest first", "", "Explorations", 200},
			(*admin).listExplorations},
		{route{http.MethodDelete, "/explorations", "forgetExplorations",
			"Forgets the explorations that have ended", "", "Empty", 200},
			(*admin).forgetExplorations},
		{route{http.MethodGet, "/explorations/{id}", "showExploration", "Shows an exploration", "",
			"Exploration", 200}, (*admin).showExploration},
		{route{http.MethodPost, "/explorations/{id}/next", "nextStep",
			"Waits for what the program has to do next, up to 20 s", "", "Step", 200},
			(*admin).nextStep},
		{route{http.MethodPost, "/explorations/{id}/ended", "endWorker",
			"Says that a worker has ended", "WorkerEnd", "WorkerEnded", 200}, (*admin).endWorker},
		{route{http.MethodPost, "/explorations/{id}/checked", "endChecks",
			"Says what the checks of a run have found", "ChecksEnd", "Empty", 200},
			(*admin).endChecks},
		{route{http.MethodDelete, "/explorations/{id}", "removeExploration",
			"Ends an exploration. What it has found is kept", "", "Empty", 200}, (*admin).removeExploration},
	}
}

// The parts of a scope.
func emulatorOf(s *scope) *emulator.Emulator { return s.emulator }
func snapshotsOf(s *scope) *snapshots        { return &s.snapshots }
func faultsOf(s *scope) *faults              { return &s.faults }
func trafficOf(s *scope) *recorded           { return &s.traffic }

// by returns what serves a request by a part of a scope.
func by[T any](
	part func(*scope) *T, serve func(*T, *http.Request) (int, any, error),
) func(*scope, *http.Request) (int, any, error) {
	return func(s *scope, r *http.Request) (int, any, error) { return serve(part(s), r) }
}

// scopeRoutes are the paths of the server and of each fork.
var scopeRoutes = []scopeRoute{
	{route{http.MethodGet, "/snapshots", "listSnapshots", "Lists the snapshots", "", "Snapshots",
		200}, by(snapshotsOf, (*snapshots).list)},
	{route{http.MethodPost, "/snapshots", "addSnapshot", "Takes a snapshot", "NewSnapshot",
		"Snapshot", 201}, by(snapshotsOf, (*snapshots).add)},
	{route{http.MethodPost, "/snapshots/{name}/restore", "restoreSnapshot",
		"Takes everything back to a snapshot, which stays", "", "Snapshot", 200},
		by(snapshotsOf, (*snapshots).restore)},
	{route{http.MethodDelete, "/snapshots/{name}", "removeSnapshot", "Removes a snapshot", "",
		"Empty", 200}, by(snapshotsOf, (*snapshots).remove)},
	{route{http.MethodPost, "/reset", "reset", "Removes all tables, or takes them back to the seed",
		"", "Empty", 200}, by(emulatorOf, reset)},
	{route{http.MethodPost, "/expire", "expireItems", "Deletes the expired items", "", "Expired",
		200}, by(emulatorOf, expire)},
	{route{http.MethodGet, "/expirations", "listExpirations", "Lists the items that expire next",
		"", "Expirations", 200}, by(emulatorOf, listExpirations)},
	{route{http.MethodGet, "/clock", "showClock", "Shows the clock", "", "Clock", 200},
		by(emulatorOf, showClock)},
	{route{http.MethodPut, "/clock", "setClock", "Sets a held clock", "ClockTime", "Clock", 200},
		by(emulatorOf, setClock)},
	{route{http.MethodPost, "/clock/advance", "advanceClock",
		"Moves a held clock, and deletes the items that have expired", "ClockStep", "Clock", 200},
		by(emulatorOf, advanceClock)},
	{route{http.MethodPost, "/explain", "explain", "Plans a request without carrying it out",
		"Explain", "Plan", 200}, by(emulatorOf, explain)},
	{route{http.MethodGet, "/findings", "listFindings", "Lists what the policy found", "",
		"Findings", 200}, by(emulatorOf, listFindings)},
	{route{http.MethodGet, "/insights", "listInsights",
		"Lists what the rules of contributor insights have found", "", "Insights", 200},
		by(emulatorOf, listInsights)},
	{route{http.MethodGet, "/cache", "listCache", "Lists what the accelerator's caches hold", "",
		"Cache", 200}, by(emulatorOf, listCache)},
	{route{http.MethodDelete, "/cache", "clearCache", "Empties the accelerator's caches", "",
		"Empty", 200}, by(emulatorOf, clearCache)},
	{route{http.MethodGet, "/traffic", "showTraffic", "Shows the recorded requests", "", "Traffic",
		200}, by(trafficOf, (*recorded).show)},
	{route{http.MethodGet, "/traffic/cost", "showCost", "Shows what the recorded requests cost", "",
		"Cost", 200}, by(trafficOf, (*recorded).showCost)},
	{route{http.MethodPost, "/traffic/cost", "calculateCost",
		"Shows what the recorded requests cost, with other prices or for another time",
		"CostOptions", "Cost", 200}, by(trafficOf, (*recorded).calculateCost)},
	{route{http.MethodGet, "/traffic/operations", "listOperations",
		"Lists the latest recorded requests, the oldest first", "", "Operations", 200},
		by(trafficOf, (*recorded).operations)},
	{route{http.MethodGet, "/traffic/operations/{id}", "showOperation",
		"Shows the bodies of a recorded request and of its answer", "", "Exchange", 200},
		by(trafficOf, (*recorded).exchange)},
	{route{http.MethodPost, "/traffic", "recordTraffic",
		"Records requests from now on, and forgets those before", "", "Traffic", 201},
		by(trafficOf, (*recorded).record)},
	{route{http.MethodDelete, "/traffic", "stopTraffic",
		"Ends the recording, and returns the recorded requests", "", "Traffic", 200},
		by(trafficOf, (*recorded).stop)},
	{route{http.MethodGet, "/faults", "listFaults", "Lists the faults", "", "InjectedFaults", 200},
		by(faultsOf, (*faults).list)},
	{route{http.MethodPost, "/faults", "addFaults", "Injects faults", "NewFaults", "InjectedFaults",
		201}, by(faultsOf, (*faults).add)},
	{route{http.MethodPut, "/faults", "replaceFaults",
		"Injects faults in place of all that there are", "NewFaults", "InjectedFaults", 200},
		by(faultsOf, (*faults).replace)},
	{route{http.MethodDelete, "/faults", "removeFaults", "Ends all faults, and returns them", "",
		"InjectedFaults", 200}, by(faultsOf, (*faults).removeAll)},
	{route{http.MethodDelete, "/faults/{id}", "removeFault", "Ends a fault, and returns it", "",
		"InjectedFault", 200}, by(faultsOf, (*faults).remove)},
}

// forkRoutes returns the paths of each fork: its overview, and scopeRoutes below its own path.
func forkRoutes() []scopeRoute {
	overview := route{http.MethodGet, "/", "showOverview", "Lists what there is", "", "Overview",
		200}
	list := append([]scopeRoute{{overview, (*scope).showOverview}}, scopeRoutes...)
	for i := range list {
		r := &list[i].route
		r.path = "/forks/{key}" + r.path
		r.id += "OfFork"
		r.summary += ", of a fork"
	}
	return list
}
