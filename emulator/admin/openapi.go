package admin

import (
	_ "embed" // holds the schemas
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// schemas has the schemas of requests and answers, by name.
//
//go:embed schemas.json
var schemas []byte

// object is a JSON object of the OpenAPI document.
type object = map[string]any

func (*admin) openAPI(*http.Request) (int, any, error) {
	return http.StatusOK, document(), nil
}

// OpenAPI returns the description of the API as an OpenAPI 3.1 document in JSON. The server serves
// it at /_kugiri/openapi.json.
func OpenAPI() ([]byte, error) {
	return json.MarshalIndent(document(), "", "  ")
}

func document() object {
	return object{
		"openapi": "3.1.0",
		"info": object{
			"title": "Kugiri admin API", "version": "1",
			"description": "Snapshots, forks, the clock, faults and plans of requests, for tests in any language.",
			"license":     object{"name": "Apache 2.0", "identifier": "Apache-2.0"},
		},
		"servers": []object{
			{"url": "http://localhost:8000/_kugiri", "description": "kugiri serve --admin"},
		},
		"security": []object{{}, {"token": []string{}}},
		"tags": []object{
			{"name": "Server", "description": "The server."},
			{"name": "Forks",
				"description": "A fork belongs to one access key, and has snapshots and faults of its own."},
			{"name": "Explorations",
				"description": "An exploration runs a program's workers in many orders of their requests, and says whether it tried all."},
		},
		"paths": paths(),
		"components": object{
			"schemas": json.RawMessage(schemas),
			"securitySchemes": object{"token": object{
				"type": "http", "scheme": "bearer",
				"description": "Required if the server was started with --admin-token.",
			}},
		},
	}
}

// paths returns the operations by path and method.
func paths() object {
	all := object{}
	add := func(r route, tag string) {
		of, _ := all[r.path].(object)
		if of == nil {
			of = object{}
			all[r.path] = of
		}
		of[strings.ToLower(r.method)] = r.operation(tag)
	}
	for _, x := range serverRoutes() {
		add(x.route, "Server")
	}
	for _, x := range explorationRoutes() {
		add(x.route, "Explorations")
	}
	for _, x := range scopeRoutes {
		add(x.route, "Server")
	}
	for _, x := range forkRoutes() {
		add(x.route, "Forks")
	}
	return all
}

// operation describes a route.
func (r *route) operation(tag string) object {
	o := object{
		"operationId": r.id, "summary": r.summary, "tags": []string{tag},
		"responses": object{
			strconv.Itoa(r.status): object{"description": r.summary + ".",
				"content": content(r.out)},
			"4XX": object{"description": "The request is refused.",
				"content": content("Error")},
		},
	}
	if list := r.parameters(); len(list) > 0 {
		o["parameters"] = list
	}
	if r.in != "" {
		o["requestBody"] = object{"required": true, "content": content(r.in)}
	}
	return o
}

// content is a body that has a schema.
func content(schema string) object {
	of := object{"$ref": "#/components/schemas/" + schema}
	if schema == "OpenAPI" {
		of = object{"type": "object"}
	}
	return object{"application/json": object{"schema": of}}
}

var variable = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\{(\w+)\}`)
})

// pathParameters describes the variables of paths.
var pathParameters = map[string]string{
	"key":  "The access key of a fork.",
	"name": "The name of a snapshot.",
	"id":   "The id of a fault, of an exploration, or of a recorded request.",
}

// findingParameters are the properties that select findings.
var findingParameters = []string{"rule", "severity", "table", "index", "entity", "tenant",
	"operation"}

// parameters describes the variables in the path, and those after it.
func (r *route) parameters() []object {
	var list []object
	for _, m := range variable().FindAllStringSubmatch(r.path, -1) {
		list = append(list, object{
			"name": m[1], "in": "path", "required": true, "description": pathParameters[m[1]],
			"schema": object{"type": "string"},
		})
	}
	if r.out == "Expirations" {
		list = append(list, object{
			"name": "limit", "in": "query", "description": "The most expirations. Without it, 100.",
			"schema": object{"type": "integer", "minimum": 1, "maximum": maxExpirations},
		})
	}
	if r.out == "Findings" {
		for _, name := range findingParameters {
			list = append(list, object{
				"name": name, "in": "query", "description": "Selects findings by this property.",
				"schema": object{"type": "array", "items": object{"type": "string"}},
			})
		}
	}
	if r.out == "Operations" {
		list = append(list, object{
			"name": "after", "in": "query",
			"description": "Lists only what came after the operation with this id.",
			"schema":      object{"type": "integer", "minimum": 0},
		})
	}
	return list
}
