package isolation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy/policyfile"
	"github.com/kugiri-db/kugiri/emulator/isolation"
)

// shapes are five kinds of tables.
var shapes = []string{
	"role: data, entities: [{name: order, prefix: ORDER, sort: \"ORDER#{order:ulid}\"}, {name: item, prefix: ORDER, sort: \"ORDER_ITEM#{order:ulid}#{item:number}\"}]",
	"role: command, entities: [{name: order, prefix: ORDER, sort: \"ORDER#{order:ulid}\"}]",
	"role: data, entities: [{name: user, prefix: USER, tenant: common, sort: \"{user}\"}, {name: member, prefix: MEMBER, tenant: common, sort: \"{tenant:tenant}#{user}\"}]",
	"role: plain, tenant: required",
	"role: data, entities: [{name: log, prefix: LOG, partition: \"{month:month}\", sort: \"{at:timestamp}#{event}\"}], indexes: [{name: by-kind, key: {partition: gsi1pk, sort: gsi1sk}, tenant: required}]",
}

func policyOf(tables int) string {
	var b strings.Builder
	b.WriteString("tenants: {callers: {AK1: tenant001, AK2: tenant002, OPS: ops}, privileged: [ops]}\ntables:\n")
	for i := range tables {
		fmt.Fprintf(&b, "  - {name: table-%d, %s}\n", i, shapes[i%len(shapes)])
	}
	return b.String()
}

// What a proof of many tables of few shapes costs.
func BenchmarkProofs(b *testing.B) {
	for _, tables := range []int{7, 50, 1000} {
		b.Run(fmt.Sprint(tables), func(b *testing.B) {
			p, err := policyfile.Parse([]byte(policyOf(tables)))
			require.NoError(b, err)
			for b.Loop() {
				proof, err := isolation.Prove(p, isolation.Options{Brief: true})
				require.NoError(b, err)
				require.True(b, proof.Holds())
			}
		})
	}
}
