package console

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/conventions/design/designfile"
	models "github.com/kugiri-db/kugiri/conventions/design/source"
	"github.com/kugiri-db/kugiri/emulator/proof"
)

const (
	maxDesign     = 1 << 20 // bytes of a design, or of the model that it is made of
	designSamples = 3       // items of each model that the page shows
	proofItems    = 5000

	smallText = 64 << 10 // bytes of a text that is read at once

	designsWaiting = 16 // requests that wait for their turn, or have it
)

// designs serves what "kugiri design" does to the page. One plan or proof is made at a time, or one
// large text is read: they take all that a machine has. A request whose client leaves ends, also
// while it waits.
type designs struct{ waiting, turn chan struct{} }

func newDesigns() *designs {
	return &designs{make(chan struct{}, designsWaiting), make(chan struct{}, 1)}
}

// errDesignsWait means that a server has enough to do.
var errDesignsWait = errors.New("designs of others wait for their turn")

// designPlan is a plan as the page shows it.
type designPlan struct {
	Table       string          `json:"table"`
	Keys        []designKey     `json:"keys"` // the table's keys, then those of its indexes
	Items       []designItem    `json:"items"`
	Patterns    []designPattern `json:"patterns"`
	Notes       []designNote    `json:"notes"`
	Dollars     float64         `json:"dollars"` // the price of a month on demand
	CreateTable map[string]any  `json:"createTable"`
}

type designKey struct {
	Name       string   `json:"name"` // "" for the table
	Local      bool     `json:"local,omitempty"`
	Partition  string   `json:"partition"`
	Sort       string   `json:"sort,omitempty"`
	Models     []string `json:"models"`
	Projection string   `json:"projection,omitempty"`
	Dollars    float64  `json:"dollars"`
}

type designItem struct {
	Model  string         `json:"model"`
	Values map[string]any `json:"values"`
}

type designPattern struct {
	Name      string   `json:"name"`
	Models    []string `json:"models"`
	Operation string   `json:"operation"`
	Index     string   `json:"index"`
	Query     string   `json:"query"`
	ReadUnits float64  `json:"readUnits"` // units a second
	Dollars   float64  `json:"dollars"`
}

type designNote struct {
	About   string `json:"about,omitempty"`
	Text    string `json:"text"`
	Warning bool   `json:"warning,omitempty"`
}

// designProof is a part of the answer to a verification or a load: how many items are stored so
// far, then the results, each once it is there.
type designProof struct {
	Rows      int               `json:"rows,omitempty"`
	Report    *proof.Report     `json:"report,omitempty"`
	Mutations []proof.Mutated   `json:"mutations,omitempty"`
	Load      *proof.LoadReport `json:"load,omitempty"`
	Message   string            `json:"message,omitempty"` // why there is no result
}

// designDraft is a design that is made of something else, and what of that it has not.
type designDraft struct {
	Design   string   `json:"design"`
	Models   int      `json:"models"`
	Patterns int      `json:"patterns"`
	Checks   int      `json:"checks"` // fields with a comment that says what to check
	Left     []string `json:"left"`
}

// designEdit has changes of a design that the page's forms ask for.
type designEdit struct {
	Design  string              `json:"design"`
	Changes []designfile.Change `json:"changes"`
}

// serve answers with the example (GET), or does with a design what the parameter do says: return
// its "values", "edit" it, "plan" it, "verify" it, send the "load" of its rates, or make a design
// "from" a model of another tool.
func (d *designs) serve(w http.ResponseWriter, r *http.Request) {
	answer, err := d.answer(w, r)
	if errors.Is(err, errDesignsWait) {
		fail(w, http.StatusServiceUnavailable, "LimitExceededException", err.Error())
		return
	}
	if r.Context().Err() != nil {
		return // the client has left
	}
	if err != nil {
		fail(w, http.StatusBadRequest, "DesignException", err.Error())
		return
	}
	if answer == nil { // it is sent
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	json.NewEncoder(w).Encode(answer) // an error means that the client is gone
}

func (d *designs) answer(w http.ResponseWriter, r *http.Request) (any, error) {
	if r.Method != http.MethodPost {
		return textOf(designfile.Example()), nil
	}
	do := r.URL.Query().Get("do")
	most := int64(maxDesign)
	if do == "edit" { // its text is in JSON
		most *= 4
	}
	// a server notices that a client leaves once it has read the body; who sends it slowly is in
	// nobody's way
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	if err != nil {
		return nil, err
	}
	edits := do == "values" || do == "edit" || do == "from"
	done, err := d.wait(r.Context(), edits && len(text) <= smallText)
	if err != nil {
		return nil, err
	}
	defer done()
	switch do {
	case "values":
		values, err := designfile.Values(text)
		return json.RawMessage(values), err
	case "edit":
		var in designEdit
		if err := json.Unmarshal(text, &in); err != nil {
			return nil, err
		}
		edited, err := designfile.Edit([]byte(in.Design), in.Changes)
		return textOf(edited), err
	case "from":
		draft, err := models.Read(text, models.Options{})
		if err != nil {
			return nil, err
		}
		return designDraft{
			Design: string(designfile.Write(&draft.Design, draft.Comments)), Left: draft.Warnings,
			Models: len(draft.Design.Models), Patterns: len(draft.Design.Patterns),
			Checks: len(draft.Comments),
		}, nil
	}
	return d.planned(w, r, do, text)
}

// wait waits for a turn, unless what is to be done takes no time. The caller must call done.
func (d *designs) wait(ctx context.Context, quick bool) (done func(), err error) {
	select {
	case d.waiting <- struct{}{}:
	default:
		return nil, errDesignsWait
	}
	if quick {
		return func() { <-d.waiting }, nil
	}
	select {
	case d.turn <- struct{}{}:
		return func() { <-d.turn; <-d.waiting }, nil
	case <-ctx.Done():
		<-d.waiting
		return nil, ctx.Err()
	}
}

func textOf(design []byte) any { return map[string]string{"design": string(design)} }

// planned does what needs a plan. It answers nil if it has sent the answer itself.
func (d *designs) planned(w http.ResponseWriter, r *http.Request, do string, text []byte) (any,
	error) {
	plan, err := designfile.Plan(text)
	if err != nil {
		return nil, err
	}
	switch do {
	case "plan":
		return viewOf(plan)
	case "verify":
		s := newProofs(r.Context(), w)
		s.verify(plan)
		return nil, nil
	case "load":
		s := newProofs(r.Context(), w)
		load, err := proof.Load(plan, proof.LoadOptions{Options: s.options()})
		s.send(designProof{Load: load}, err)
		return nil, nil
	}
	return nil, errors.New(
		`the parameter do is "values", "edit", "plan", "verify", "load" or "from"`)
}

func viewOf(plan *design.Plan) (*designPlan, error) {
	cost := plan.Cost(design.ListPrices())
	all := []string{}
	for _, e := range plan.Entities {
		all = append(all, e.Model)
	}
	view := &designPlan{
		Table: plan.Design.Table, Dollars: cost.Total(), CreateTable: plan.CreateTable(),
		Keys: []designKey{{
			Partition: plan.Key.Partition, Sort: plan.Key.Sort, Models: all,
			Dollars: cost.Table.Dollars,
		}},
		Patterns: []designPattern{}, Notes: []designNote{},
	}
	for i, x := range plan.Indexes {
		view.Keys = append(view.Keys, designKey{
			Name: x.Name, Local: x.Local,
			Partition: strings.Join(x.Key.Partitions(), ", "),
			Sort:      strings.Join(x.Key.Sorts(), ", "),
			Models:    x.Models, Projection: string(x.Projection.Type),
			Dollars: cost.Indexes[i].Dollars,
		})
	}
	for i, q := range plan.Queries {
		view.Patterns = append(view.Patterns, designPattern{
			Name: q.Pattern, Models: q.Models, Operation: string(q.Operation), Index: q.Index,
			Query: q.String(), ReadUnits: cost.Patterns[i].ReadUnits,
			Dollars: cost.Patterns[i].Dollars,
		})
	}
	for _, n := range plan.Notes {
		view.Notes = append(view.Notes, designNote{n.About, n.Text, n.Warning})
	}
	var err error
	view.Items, err = sampleItems(plan)
	return view, err
}

// sampleItems returns a few items of each model.
func sampleItems(plan *design.Plan) ([]designItem, error) {
	short := plan.Design // the bytes of values are left out: a page has no room for them
	short.Models = slices.Clone(short.Models)
	counts := map[string]int64{}
	for i := range short.Models {
		m := &short.Models[i]
		m.Attributes = slices.Clone(m.Attributes)
		for j := range m.Attributes {
			m.Attributes[j].Bytes = 0
		}
		counts[m.Name] = designSamples
	}
	samples := design.NewDomainSamples(&short, counts, 1)
	list := []designItem{}
	for _, m := range short.Models {
		for range min(designSamples, samples.Most(m.Name)) {
			item, err := plan.Item(m.Name, samples.Next(m.Name))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", m.Name, err)
			}
			list = append(list, designItem{m.Name, item})
		}
	}
	slices.SortStableFunc(list, func(a, b designItem) int {
		key := plan.Key.Partition
		return compareText(a.Values[key], b.Values[key])
	})
	return list, nil
}

func compareText(a, b any) int {
	x, y := fmt.Sprint(a), fmt.Sprint(b)
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}
