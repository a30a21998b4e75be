package control

import (
	"github.com/kugiri-db/kugiri/conventions/api"
	"github.com/kugiri-db/kugiri/emulator/internal/serve"
)

// endpointCacheMinutes is for how long clients may keep the answer.
const endpointCacheMinutes = 1440

func DescribeEndpoints(c *serve.Call,
	_ *api.DescribeEndpointsRequest) (*api.DescribeEndpointsResponse, error) {
	return &api.DescribeEndpointsResponse{Endpoints: []api.Endpoint{{
		Address:              api.Ref("dynamodb." + c.Region + ".amazonaws.com"),
		CachePeriodInMinutes: api.Ref(int64(endpointCacheMinutes)),
	}}}, nil
}
