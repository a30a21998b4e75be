package admin

import "net/http"

// route is a path of the API with a method, and what the OpenAPI document says of it.
type route struct {
	method, path string
	id           string // operationId
	summary      string
	in, out      string // names of the schemas of the request, "" for none, and of the answer
	status       int    // of the answer
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
		{route{http.MethodGet, "/", "showOverview", "Lists what there is", "", "Overview", 200}, (*admin).overview},
		{route{http.MethodGet, "/openapi.json", "showOpenAPI", "Returns this document", "", "OpenAPI", 200}, (*admin).openAPI},
		{route{http.MethodGet, "/forks", "listForks", "Lists the forks", "", "Forks", 200}, (*admin).listForks},
		{route{http.MethodPost, "/forks", "addFork", "Makes a fork", "NewFork", "Fork", 201}, (*admin).addFork},
		{route{http.MethodDelete, "/forks/{key}", "removeFork", "Removes a fork with all that it has", "", "Empty", 200}, (*admin).removeFork},
		{route{http.MethodPost, "/compare", "compare", "Lists the tables that differ between two states", "States", "TableComparisons", 200}, (*admin).compare},
		{route{http.MethodPost, "/compare/items", "compareItems", "Lists the items of a table that differ between two states", "TableStates", "ItemComparisons", 200}, (*admin).compareItems},
	}
}

// scopeRoutes are the paths of the server and of each fork.
var scopeRoutes = []scopeRoute{
	{route{http.MethodGet, "/snapshots", "listSnapshots", "Lists the snapshots", "", "Snapshots", 200}, (*scope).listSnapshots},
	{route{http.MethodPost, "/snapshots", "addSnapshot", "Takes a snapshot", "NewSnapshot", "Snapshot", 201}, (*scope).addSnapshot},
	{route{http.MethodPost, "/snapshots/{name}/restore", "restoreSnapshot", "Takes everything back to a snapshot, which stays", "", "Snapshot", 200}, (*scope).restore},
	{route{http.MethodDelete, "/snapshots/{name}", "removeSnapshot", "Removes a snapshot", "", "Empty", 200}, (*scope).removeSnapshot},
	{route{http.MethodPost, "/reset", "reset", "Removes all tables, or takes them back to the seed", "", "Empty", 200}, (*scope).reset},
	{route{http.MethodPost, "/expire", "expireItems", "Deletes the expired items", "", "Expired", 200}, (*scope).expire},
	{route{http.MethodGet, "/expirations", "listExpirations", "Lists the items that expire next", "", "Expirations", 200}, (*scope).listExpirations},
	{route{http.MethodGet, "/clock", "showClock", "Shows the clock", "", "Clock", 200}, (*scope).showClock},
	{route{http.MethodPut, "/clock", "setClock", "Sets a held clock", "ClockTime", "Clock", 200}, (*scope).setClock},
	{route{http.MethodPost, "/clock/advance", "advanceClock", "Moves a held clock, and deletes the items that have expired", "ClockStep", "Clock", 200}, (*scope).advanceClock},
	{route{http.MethodPost, "/explain", "explain", "Plans a request without carrying it out", "Explain", "Plan", 200}, (*scope).explain},
	{route{http.MethodGet, "/findings", "listFindings", "Lists what the policy found", "", "Findings", 200}, (*scope).listFindings},
	{route{http.MethodGet, "/insights", "listInsights", "Lists what the rules of contributor insights have found", "", "Insights", 200}, (*scope).listInsights},
	{route{http.MethodGet, "/traffic", "showTraffic", "Shows the recorded requests", "", "Traffic", 200}, (*scope).showTraffic},
	{route{http.MethodGet, "/traffic/cost", "showCost", "Shows what the recorded requests cost", "", "Cost", 200}, (*scope).showCost},
	{route{http.MethodPost, "/traffic/cost", "calculateCost", "Shows what the recorded requests cost, with other prices or for another time", "CostOptions", "Cost", 200}, (*scope).calculateCost},
	{route{http.MethodGet, "/traffic/operations", "listOperations", "Lists the latest recorded requests, the oldest first", "", "Operations", 200}, (*scope).listOperations},
	{route{http.MethodPost, "/traffic", "recordTraffic", "Records requests from now on, and forgets those before", "", "Traffic", 201}, (*scope).recordTraffic},
	{route{http.MethodDelete, "/traffic", "stopTraffic", "Ends the recording, and returns the recorded requests", "", "Traffic", 200}, (*scope).stopTraffic},
	{route{http.MethodGet, "/faults", "listFaults", "Lists the faults", "", "InjectedFaults", 200}, (*scope).listFaults},
	{route{http.MethodPost, "/faults", "addFaults", "Injects faults", "NewFaults", "InjectedFaults", 201}, (*scope).addFaults},
	{route{http.MethodPut, "/faults", "replaceFaults", "Injects faults in place of all that there are", "NewFaults", "InjectedFaults", 200}, (*scope).replaceFaults},
	{route{http.MethodDelete, "/faults", "removeFaults", "Ends all faults, and returns them", "", "InjectedFaults", 200}, (*scope).removeFaults},
	{route{http.MethodDelete, "/faults/{id}", "removeFault", "Ends a fault, and returns it", "", "InjectedFault", 200}, (*scope).removeFault},
}

// forkRoutes returns the paths of each fork: its overview, and scopeRoutes below its own path.
func forkRoutes() []scopeRoute {
	overview := route{http.MethodGet, "/", "showOverview", "Lists what there is", "", "Overview", 200}
	list := append([]scopeRoute{{overview, (*scope).showOverview}}, scopeRoutes...)
	for i := range list {
		r := &list[i].route
		r.path = "/forks/{key}" + r.path
		r.id += "OfFork"
		r.summary += ", of a fork"
	}
	return list
}
