package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/kugiri-db/kugiri/cmd/kugiri/internal/lint"
	"github.com/kugiri-db/kugiri/emulator/proof"
)

// Writes says what agents may change.
type Writes string

// The values of Writes. Forks allows changes of forks only, which nobody else sees.
const (
	None  Writes = "none"
	Forks Writes = "forks"
	All   Writes = "all"
)

// maxAnswer is the largest size of an answer in bytes.
const maxAnswer = 64 << 10

// Endpoint is the endpoint that the tools work with.
type Endpoint struct {
	// Send sends a request of an operation, and returns the body of the answer. as is the access
	// key of a fork, or "" for that of the endpoint's credentials. The error of the service is an
	// error.
	Send func(ctx context.Context, operation string, request []byte, as string) ([]byte, error)

	// Admin sends a request to the admin API, below its prefix. It is nil if the endpoint has none.
	Admin func(ctx context.Context, method, path string, body any) ([]byte, error)

	// Fork returns a function that opens forks of the endpoint without a table, to verify a design
	// of it. It is nil if Admin is.
	Fork func(ctx context.Context, table string) (open func() (proof.Service, error), err error)

	AccessKey string // the access key of the endpoint's credentials
	Region    string
	Lint      lint.Client
}

// tools registers the tools of an endpoint.
type tools struct {
	Endpoint
	writes Writes
	server *mcp.Server

	mu   sync.Mutex
	made map[string]bool // the forks that the agent has made
}

const instructions = `Tools for a DynamoDB endpoint. Attribute values are DynamoDB's JSON: {"S": "text"}, {"N": "1"}, {"BOOL": true}.
Prefer query to scan, and look at describe_table first. If there is a tool make_fork, try changes in a fork:
make_fork, write with "fork", look, remove_fork. Explain says what a request reads and costs without sending it.`

// New returns a server with the tools that the endpoint and the writes allow.
func New(e Endpoint, w Writes, version string) *mcp.Server {
	t := &tools{
		Endpoint: e, writes: w, made: map[string]bool{},
		server: mcp.NewServer(&mcp.Implementation{Name: "kugiri", Version: version},
			&mcp.ServerOptions{Instructions: instructions}),
	}
	t.addReads()
	t.addDesigns()
	if w != None {
		t.addWrites()
	}
	if e.Admin != nil {
		t.addLooks()
		if w != None {
			t.addControls()
		}
	}
	return t.server
}

// kind says what a tool does to the endpoint.
type kind uint8

const (
	reads kind = iota
	writes
	destroys
)

// add adds a tool.
func add[In any](t *tools, name, description string, k kind,
	run func(ctx context.Context, in *In) ([]byte, error)) {
	destructive := k == destroys
	tool := &mcp.Tool{
		Name: name, Description: description,
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: k == reads, DestructiveHint: &destructive},
	}
	mcp.AddTool(t.server,
		tool, func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any,
			error) {
			answer, err := run(ctx, &in)
			if err == nil && len(answer) > maxAnswer {
				err = fmt.Errorf(
					"the answer has %d bytes, more than %d: ask for less, with limit, projection or filter", len(answer), maxAnswer)
			}
			if err != nil {
				return nil, nil, err
			}
			return &mcp.CallToolResult{
				Content: []mcp.Content{&mcp.TextContent{Text: string(answer)}},
			}, nil, nil
		})
}

// send sends a request whose members are those that are not empty.
func (t *tools) send(ctx context.Context, operation string, request map[string]any,
	as string) (map[string]any, error) {
	body, err := json.Marshal(filled(request))
	if err != nil {
		return nil, err
	}
	if err := t.mayUse(ctx, as); err != nil {
		return nil, err
	}
	text, err := t.Send(ctx, operation, body, as)
	if err != nil {
		return nil, err
	}
	var answer map[string]any
	return answer, json.Unmarshal(text, &answer)
}

// filled returns the members of a request that are set.
func filled(request map[string]any) map[string]any {
	for name, v := range request {
		switch v := v.(type) {
		case string:
			if v == "" {
				delete(request, name)
			}
		case int:
			if v == 0 {
				delete(request, name)
			}
		case bool:
			if !v {
				delete(request, name)
			}
		case map[string]any:
			if v == nil {
				delete(request, name)
			}
		case map[string]string:
			if v == nil {
				delete(request, name)
			}
		case []any:
			if v == nil {
				delete(request, name)
			}
		}
	}
	return request
}

// writer checks that a request that writes may be sent for an access key.
func (t *tools) writer(ctx context.Context, fork string) error {
	if t.writes != All && fork == "" {
		return errors.New("writes are allowed in forks only: make_fork, and name it with \"fork\"")
	}
	return t.mayUse(ctx, fork)
}

// mayUse returns an error unless a name is that of a fork that the agent may work in: one that it
// made, or one of what its own access key sees. A fork's name is the access key that its requests
// are signed with, so that another name would be another caller's credential. With writes to all,
// the agent may work in every fork.
func (t *tools) mayUse(ctx context.Context, name string) error {
	if name == "" {
		return nil
	}
	if t.Admin == nil {
		return errors.New("this endpoint has no forks")
	}
	text, err := t.Admin(ctx, http.MethodGet, "forks", nil)
	if err != nil {
		return err
	}
	var list struct{ Forks []listedFork }
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	for _, f := range list.Forks {
		switch {
		case f.AccessKey != name:
		case t.writes == All || t.hasMade(name):
			return nil
		case f.From == t.AccessKey && f.isPlain():
			o, err := t.overview(ctx)
			if err == nil && slices.Contains(o.Callers, name) {
				err = fmt.Errorf("the fork %q is of an access key that the policy lists", name)
			}
			return err
		default:
			return fmt.Errorf("the fork %q is not of the access key %s: make_fork makes one that is",
				name, t.AccessKey)
		}
	}
	return fmt.Errorf("there is no fork %q: make_fork makes one", name)
}

// listedFork is the admin API's description of a fork.
type listedFork struct{ AccessKey, From, Tenant, Policy string }

// isPlain reports whether a fork has the caller and the policy of what it began from.
func (f *listedFork) isPlain() bool { return f.Tenant == "" && f.Policy == "" }

func (t *tools) hasMade(name string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.made[name]
}

func (t *tools) setMade(name string, made bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.made[name] = made
	if !made {
		delete(t.made, name)
	}
}
