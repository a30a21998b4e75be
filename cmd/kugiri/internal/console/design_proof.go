package console

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"

	"github.com/kugiri-db/kugiri/conventions/design"
	"github.com/kugiri-db/kugiri/emulator/proof"
)

// proofs sends the parts of a proof to the page as they come, a line of JSON each.
type proofs struct {
	ctx context.Context // the context of the request
	to  *http.ResponseController

	mu   sync.Mutex
	w    http.ResponseWriter
	rows int // the rows that are stored
	said int // the rows that the page heard of last
}

func newProofs(ctx context.Context, w http.ResponseWriter) *proofs {
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Cache-Control", "no-store")
	return &proofs{ctx: ctx, to: http.NewResponseController(w), w: w}
}

func (p *proofs) options() proof.Options {
	return proof.Options{Rows: proofItems, Progress: p.progress, Context: p.ctx}
}

// progress counts rows that are stored. It says so now and then.
func (p *proofs) progress(rows int) {
	const step = proofItems / 20
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.rows += rows; p.rows-p.said >= step {
		p.said = p.rows
		p.write(designProof{Rows: p.rows})
	}
}

// verify sends the report of a verification, and then the decisions that the proof has noticed.
func (p *proofs) verify(plan *design.Plan) {
	report, err := proof.Verify(plan, p.options())
	p.send(designProof{Report: report}, err)
	if err != nil {
		return
	}
	mutations, err := proof.Mutate(plan, proof.Options{Context: p.ctx})
	p.send(designProof{Mutations: mutations}, err)
}

func (p *proofs) send(part designProof, err error) {
	if err != nil {
		part = designProof{Message: err.Error()}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.write(part)
}

// write sends a part. An error means that the client is gone.
func (p *proofs) write(part designProof) {
	json.NewEncoder(p.w).Encode(part)
	p.to.Flush()
}
