package emulator

import "github.com/kugiri-db/kugiri/emulator/internal/api"

// endpointCacheMinutes is for how long clients may keep the answer.
const endpointCacheMinutes = 1440

func describeEndpoints(c *call, _ *api.DescribeEndpointsRequest) (*api.DescribeEndpointsResponse, error) {
	return &api.DescribeEndpointsResponse{Endpoints: []api.Endpoint{{
		Address:              api.Ref("dynamodb." + c.Region + ".amazonaws.com"),
		CachePeriodInMinutes: api.Ref(int64(endpointCacheMinutes)),
	}}}, nil
}
