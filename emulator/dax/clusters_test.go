package dax

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/kugiri-db/kugiri/conventions/policy"
	"github.com/kugiri-db/kugiri/conventions/sigv4"
	"github.com/kugiri-db/kugiri/emulator"
	"github.com/kugiri-db/kugiri/emulator/dax/protocol"
	"github.com/kugiri-db/kugiri/emulator/iam"
	"github.com/kugiri-db/kugiri/emulator/internal/acceleration"
	"github.com/kugiri-db/kugiri/storage/disk"
)

// control calls the operations on clusters over HTTP. boto3 does so in conformance/clients/dax.
type control struct {
	t   testing.TB
	url string
	at  func() time.Time
	key string // access key, and secret: "secret"
}

func newControl(t testing.TB, e *emulator.Emulator) *control {
	s := httptest.NewServer(e.Handler())
	t.Cleanup(s.Close)
	return &control{t, s.URL, e.Now, caller}
}

// call returns the answer, or "Name: text" for an error.
func (c *control) call(operation, body string) (map[string]any, string) {
	r, err := http.NewRequest(http.MethodPost, c.url+"/", strings.NewReader(body))
	require.NoError(c.t, err)
	r.Header.Set("Content-Type", "application/x-amz-json-1.1")
	r.Header.Set("X-Amz-Target", "AmazonDAXV3."+operation)
	r.Header.Set("X-Amz-Date", c.at().UTC().Format(sigv4.TimeFormat))
	claim := sigv4.Claim{Date: c.at(), Day: c.at().UTC().Format("20060102"), Region: "us-east-1",
		Service: "dax", SignedHeaders: "host;x-amz-date;x-amz-target"}
	r.Header.Set("Authorization", sigv4.Algorithm+" Credential="+c.key+"/"+claim.Scope()+
		", SignedHeaders="+claim.SignedHeaders+", Signature="+
		claim.Signature(r, []byte(body), "secret"))
	res, err := http.DefaultClient.Do(r)
	require.NoError(c.t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(c.t, err)
	assert.Equal(c.t, "application/x-amz-json-1.1", res.Header.Get("Content-Type"))
	out := map[string]any{}
	require.NoError(c.t, json.Unmarshal(text, &out), "%s", text)
	if res.StatusCode == http.StatusOK {
		return out, ""
	}
	assert.Equal(c.t, http.StatusBadRequest, res.StatusCode)
	_, name, _ := strings.Cut(out["__type"].(string), "#")
	message, _ := out["message"].(string)
	if message == "" {
		message, _ = out["Message"].(string)
	}
	return nil, name + ": " + message
}

// do returns the structure in the answer to a call that has to succeed.
func (c *control) do(operation, body string) map[string]any {
	c.t.Helper()
	out, failed := c.call(operation, body)
	require.Empty(c.t, failed, operation)
	for _, member := range []string{"Cluster", "ParameterGroup", "SubnetGroup"} {
		if inner, ok := out[member].(map[string]any); ok {
			return inner
		}
	}
	return out
}

const role = `"IamRoleArn":"arn:aws:iam::000000000000:role/dax","NodeType":"dax.r5.large"`

func newCluster(nodes int, more string) string {
	return fmt.Sprintf(`{"ClusterName":"Notes","ReplicationFactor":%d,%s%s}`, nodes, role, more)
}

// ports are those of the nodes that an authorized connection is told of, the leader's first.
func (c *client) ports() (ports []int64) {
	r, f := c.call(protocol.Endpoints, 1)
	require.Nil(c.t, f)
	require.NoError(c.t, r.Each(func(int, int) error {
		return r.Pairs(func(int, int) error {
			member, err := r.Int()
			require.NoError(c.t, err)
			if member == endpointPort {
				port, err := r.Int()
				ports = append(ports, port)
				return err
			}
			_, err = r.Item()
			return err
		})
	}))
	return ports
}

// TestClusterEndpoint: a program makes a cluster, asks for its endpoint, and connects to that. Its
// parameter group's TTLs count there ("Configuring TTL settings").
func TestClusterEndpoint(t *testing.T) {
	clock := emulator.NewClock(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	b := newBench(t, func(c *Config) { c.ReplicationLag = 0 }, emulator.WithHeldClock(clock))
	c := newControl(t, b.server)
	c.do("CreateParameterGroup", `{"ParameterGroupName":"short"}`)
	c.do("UpdateParameterGroup", `{"ParameterGroupName":"short","ParameterNameValues":[
		{"ParameterName":"record-ttl-millis","ParameterValue":"60000"},
		{"ParameterName":"query-ttl-millis","ParameterValue":"0"}]}`)
	c.do("CreateCluster", newCluster(2, `,"ParameterGroupName":"short"`))
	out := c.do("DescribeClusters", `{"ClusterNames":["notes"]}`)
	cluster := out["Clusters"].([]any)[0].(map[string]any)
	endpoint := cluster["ClusterDiscoveryEndpoint"].(map[string]any)
	assert.Equal(t, fmt.Sprintf("dax://%v:%v", endpoint["Address"], endpoint["Port"]),
		endpoint["URL"])
	first := dial(t, fmt.Sprintf("%v:%v", endpoint["Address"], endpoint["Port"]))
	first.authorize(caller, "x", b.server.Now())
	ports := first.ports()
	require.Len(t, ports, 2, "the cluster has more nodes than the settings")
	assert.EqualValues(t, endpoint["Port"], ports[0])
	second := dial(t, fmt.Sprintf("127.0.0.1:%d", ports[1]))
	second.authorize(caller, "x", b.server.Now())

	require.Nil(t, first.put("1", "old"))
	b.putBeside("1", "new")
	for _, node := range []*client{first, second} {
		assert.Equal(t, "old", node.get("1"))
	}
	clock.Advance(time.Minute)
	assert.Equal(t, "new", first.get("1"), "a minute, not five")

	other := dial(t, b.addrs[0])
	other.authorize("other", "x", b.server.Now())
	assert.Len(t, other.ports(), 1, "another account has no cluster")

	c.do("DecreaseReplicationFactor", `{"ClusterName":"notes","NewReplicationFactor":1,
		"NodeIdsToRemove":["notes-a"]}`)
	first.ended()
	assert.Equal(t, ports[1:], second.ports(), "the node that is left leads")
	assert.Equal(t, "new", second.get("1"))
	c.do("RebootNode", `{"ClusterName":"notes","NodeId":"notes-b"}`)
	second.ended()
	b.putBeside("1", "newer")
	again := dial(t, fmt.Sprintf("127.0.0.1:%d", ports[1]))
	again.authorize(caller, "x", b.server.Now())
	assert.Equal(t, "new", again.get("1"), "a reboot does not remove what is cached")

	c.do("DeleteCluster", `{"ClusterName":"notes"}`)
	again.ended()
	after := dial(t, b.addrs[0])
	after.authorize(caller, "x", b.server.Now())
	assert.Equal(t, "newer", after.get("1"), "what the cluster had cached is gone with it")
}

// TestClusterStates: states pass with the clock (API Reference, DescribeClusters).
func TestClusterStates(t *testing.T) {
	clock := emulator.NewClock(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	b := newBench(t, nil, emulator.WithHeldClock(clock),
		emulator.WithTableDelays(time.Minute, time.Minute, time.Minute))
	clock.Advance(time.Minute)
	c := newControl(t, b.server)
	look := func() map[string]any {
		list := c.do("DescribeClusters", `{}`)["Clusters"].([]any)
		if len(list) == 0 {
			return nil
		}
		return list[0].(map[string]any)
	}
	made := c.do("CreateCluster", newCluster(3, `,"SSESpecification":{"Enabled":true},
		"Description":"d","PreferredMaintenanceWindow":"Thu:13:00-thu:14:00","SecurityGroupIds":
		["sg-1af6e36e"],"NotificationTopicArn":"arn:aws:sns:us-east-1:000000000000:t",
		"AvailabilityZones":["us-east-1c","us-east-1a","us-east-1b"],"NetworkType":"ipv4",
		"Tags":[{"Key":"a","Value":"1"}],"SubnetGroupName":"","ParameterGroupName":""`))
	port := made["ClusterDiscoveryEndpoint"].(map[string]any)["Port"]
	assert.Equal(t, map[string]any{
		"ClusterName": "notes", "ClusterArn": "arn:aws:dax:us-east-1:000000000000:cache/notes",
		"TotalNodes": 3., "ActiveNodes": 0., "NodeType": "dax.r5.large", "Status": "creating",
		"Description":                "d",
		"ClusterDiscoveryEndpoint":   map[string]any{"Port": port},
		"PreferredMaintenanceWindow": "thu:13:00-thu:14:00", "SubnetGroup": "default",
		"SecurityGroups": []any{map[string]any{
			"SecurityGroupIdentifier": "sg-1af6e36e", "Status": "active"}},
		"IamRoleArn": "arn:aws:iam::000000000000:role/dax",
		"ParameterGroup": map[string]any{"ParameterGroupName": "default.dax1.0",
			"ParameterApplyStatus": "in-sync", "NodeIdsToReboot": []any{}},
		"NotificationConfiguration": map[string]any{
			"TopicArn": "arn:aws:sns:us-east-1:000000000000:t", "TopicStatus": "active"},
		"SSEDescription":                map[string]any{"Status": "ENABLED"},
		"ClusterEndpointEncryptionType": "NONE", "NetworkType": "ipv4",
	}, made)
	_, failed := c.call("UpdateCluster", `{"ClusterName":"notes","Description":"e"}`)
	assert.Equal(t, "InvalidClusterStateFault: The requested DAX cluster is not in the available "+
		"state.", failed)
	clock.Advance(time.Minute)
	ready := look()
	assert.Equal(t, "available", ready["Status"])
	assert.Equal(t, 3., ready["ActiveNodes"])
	assert.Equal(t, map[string]any{
		"NodeId": "notes-a", "NodeStatus": "available", "AvailabilityZone": "us-east-1c",
		"NodeCreateTime": float64(clock.Now().Unix()), "ParameterGroupStatus": "in-sync",
		"Endpoint": map[string]any{"Address": "127.0.0.1", "Port": port},
	}, ready["Nodes"].([]any)[0])
	for _, step := range []struct{ operation, body, status string }{
		{"UpdateCluster", `{"ClusterName":"notes","Description":"e","NotificationTopicStatus":
			"inactive"}`, "modifying"},
		{"IncreaseReplicationFactor", `{"ClusterName":"notes","NewReplicationFactor":4}`,
			"modifying"},
		{"DecreaseReplicationFactor", `{"ClusterName":"notes","NewReplicationFactor":2,
			"AvailabilityZones":["us-east-1a"]}`, "modifying"},
		{"RebootNode", `{"ClusterName":"notes","NodeId":"notes-a"}`, "available"},
		{"DeleteCluster", `{"ClusterName":"notes"}`, "deleting"},
	} {
		got := c.do(step.operation, step.body)
		assert.Equal(t, step.status, got["Status"], step.operation)
		switch step.operation {
		case "IncreaseReplicationFactor":
			assert.Equal(t, map[string]any{"NodeId": "notes-d", "NodeStatus": "creating"},
				got["Nodes"].([]any)[3])
		case "DecreaseReplicationFactor":
			assert.Equal(t, []any{"notes-b", "notes-d"}, got["NodeIdsToRemove"])
		case "RebootNode":
			assert.Equal(t, "rebooting", got["Nodes"].([]any)[0].(map[string]any)["NodeStatus"])
			assert.Equal(t, 1., got["ActiveNodes"])
		case "DeleteCluster":
			assert.NotContains(t, got, "Nodes")
		}
		clock.Advance(time.Minute)
	}
	assert.Nil(t, look())
	var messages []string
	for _, e := range c.do("DescribeEvents", `{"SourceType":"CLUSTER"}`)["Events"].([]any) {
		messages = append(messages, e.(map[string]any)["Message"].(string))
	}
	assert.Equal(t, []string{"Cluster deleted.", "Removed node notes-a.", "Removed node notes-c.",
		"Node notes-a restarted.", "Removed node notes-b.", "Removed node notes-d.",
		"Added 1 nodes.", "Cluster modified.", "Cluster created."}, messages)
	clock.Advance(25 * time.Hour)
	assert.Empty(t, c.do("DescribeEvents", `{}`)["Events"], "of the last 24 hours")
	assert.NotEmpty(t, c.do("DescribeEvents", `{"Duration":2880,"SourceName":"notes"}`)["Events"])
}

// TestClusterGroups: parameter groups, subnet groups and tags, as the AWS CLI's reference has them.
func TestClusterGroups(t *testing.T) {
	b := newBench(t, func(c *Config) { c.ItemTTL = time.Second })
	c := newControl(t, b.server)
	asText := func(v any) string {
		text, err := json.Marshal(v)
		require.NoError(t, err)
		return string(text)
	}
	const arn = `"ResourceName":"arn:aws:dax:us-east-1:000000000000:cache/notes"`
	for _, step := range []struct{ operation, body, want string }{
		{"DescribeParameterGroups", `{}`, `{"ParameterGroups":[{"Description":"Default parameter ` +
			`group for dax1.0","ParameterGroupName":"default.dax1.0"}]}`},
		{"CreateParameterGroup", `{"ParameterGroupName":"g","Description":"d"}`,
			`{"Description":"d","ParameterGroupName":"g"}`},
		{"UpdateParameterGroup", `{"ParameterGroupName":"g","ParameterNameValues":[` +
			`{"ParameterName":"query-ttl-millis","ParameterValue":"5"}]}`,
			`{"Description":"d","ParameterGroupName":"g"}`},
		{"DescribeParameters", `{"ParameterGroupName":"g","Source":"system"}`, `{"Parameters":[]}`},
		{"CreateSubnetGroup", `{"SubnetGroupName":"S","SubnetIds":["subnet-1"]}`, ""},
		{"UpdateSubnetGroup", `{"SubnetGroupName":"s","SubnetIds":["subnet-2","subnet-3"],` +
			`"Description":"x"}`, ""},
		{"CreateCluster", newCluster(1, `,"SubnetGroupName":"s","Tags":[{"Key":"a","Value":"1"}]`),
			""},
		{"TagResource", `{` + arn + `,"Tags":[{"Key":"b","Value":"2"},{"Key":"a","Value":"3"}]}`,
			`{"Tags":[{"Key":"a","Value":"3"},{"Key":"b","Value":"2"}]}`},
		{"UntagResource", `{` + arn + `,"TagKeys":["a"]}`, `{"Tags":[{"Key":"b","Value":"2"}]}`},
		{"ListTags", `{` + arn + `}`, `{"Tags":[{"Key":"b","Value":"2"}]}`},
		{"DeleteCluster", `{"ClusterName":"notes"}`, ""},
		{"DeleteSubnetGroup", `{"SubnetGroupName":"s"}`,
			`{"DeletionMessage":"Subnet group s has been deleted."}`},
		{"DeleteParameterGroup", `{"ParameterGroupName":"g"}`,
			`{"DeletionMessage":"Parameter group g has been deleted."}`},
	} {
		out := c.do(step.operation, step.body)
		if step.want != "" {
			assert.Equal(t, step.want, asText(out), step.operation)
		}
		switch step.operation {
		case "UpdateParameterGroup":
			values := map[any]any{}
			for _, p := range c.do("DescribeParameters",
				`{"ParameterGroupName":"g"}`)["Parameters"].([]any) {
				p := p.(map[string]any)
				values[p["ParameterName"]] = p["ParameterValue"]
			}
			assert.Equal(t, map[any]any{"query-ttl-millis": "5", "record-ttl-millis": "1000"},
				values, "what the group does not set is as in the settings")
		case "UpdateSubnetGroup":
			assert.Equal(t, "x", out["Description"])
			assert.Len(t, out["Subnets"], 2)
			assert.Equal(t, out, c.do("DescribeSubnetGroups",
				`{"SubnetGroupNames":["S"]}`)["SubnetGroups"].([]any)[0])
		}
	}
	groups := []string{}
	for i := range 19 {
		name := fmt.Sprintf("g%02d", i)
		groups = append(groups, name)
		c.do("CreateParameterGroup", `{"ParameterGroupName":"`+name+`"}`)
	}
	_, failed := c.call("CreateParameterGroup", `{"ParameterGroupName":"more"}`)
	assert.Equal(t, "ParameterGroupQuotaExceededFault: You have attempted to exceed the maximum "+
		"number of parameter groups.", failed)
	assert.Len(t, c.do("DescribeParameterGroups", `{"MaxResults":20}`)["ParameterGroups"], 20)
	list := `{"ParameterGroupNames":["` + strings.Join(append(groups, groups...), `","`) + `"],` +
		`"MaxResults":20`
	page := c.do("DescribeParameterGroups", list+"}")
	assert.Len(t, page["ParameterGroups"], 20)
	rest := c.do("DescribeParameterGroups", list+`,"NextToken":"`+page["NextToken"].(string)+`"}`)
	assert.Len(t, rest["ParameterGroups"], 18)
	assert.NotContains(t, rest, "NextToken")
}

// TestClusterFaults: what is refused, and changes nothing.
func TestClusterFaults(t *testing.T) {
	b := newBench(t, nil)
	c := newControl(t, b.server)
	c.do("CreateParameterGroup", `{"ParameterGroupName":"used"}`)
	c.do("CreateParameterGroup", `{"ParameterGroupName":"free"}`)
	c.do("CreateSubnetGroup", `{"SubnetGroupName":"used","SubnetIds":["subnet-1"]}`)
	c.do("CreateCluster", newCluster(1, `,"ParameterGroupName":"used","SubnetGroupName":"used"`))
	before := c.do("DescribeClusters", `{}`)
	create := func(name, more string) string {
		return `{"ClusterName":"` + name + `","ReplicationFactor":1,` + role + more + `}`
	}
	many := func(n int, format string) string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf(format, i)
		}
		return strings.Join(list, ",")
	}
	for _, f := range []struct{ operation, body, want string }{
		{"Nothing", `{}`, "UnknownOperationException: "},
		{"CreateCluster", `{`, "SerializationException: "},
		{"CreateCluster", `{"ClusterName":1}`, "SerializationException: "},
		{"CreateCluster", `{"ClusterName":"x"}`, "InvalidParameterValueException: The parameter " +
			"NodeType must be provided and must not be blank."},
		{"CreateCluster", newCluster(1, ""), "ClusterAlreadyExistsFault: "},
		{"CreateCluster", create("second", ""), "InsufficientClusterCapacityFault: "},
		{"CreateCluster", create("1x", ""), "InvalidParameterValueException: The parameter Clu"},
		{"CreateCluster", create("a--b", ""), "InvalidParameterValueException: "},
		{"CreateCluster", create("a23456789012345678901", ""), "InvalidParameterValueException: "},
		{"CreateCluster", newCluster(0, ""), "InvalidParameterValueException: "},
		{"CreateCluster", newCluster(12, ""), "NodeQuotaForClusterExceededFault: "},
		{"CreateCluster", strings.ReplaceAll(create("x", ""), "dax.r5", "db.r5"),
			"InvalidParameterValueException: Invalid DAX node type"},
		{"CreateCluster", strings.ReplaceAll(create("x", ""), "role/dax", "user/dax"),
			"InvalidParameterValueException: "},
		{"CreateCluster", create("x", `,"AvailabilityZones":["us-east-1a","us-east-1b"]`),
			"InvalidParameterCombinationException: "},
		{"CreateCluster", create("x", `,"NetworkType":"ipv6"`), "InvalidParameterValueException: "},
		{"CreateCluster", create("x", `,"ClusterEndpointEncryptionType":"SSL"`),
			"InvalidParameterValueException: "},
		{"CreateCluster", create("x", `,"SSESpecification":{}`), "InvalidParameterValueException: "},
		{"CreateCluster", create("x", `,"SubnetGroupName":"none"`), "SubnetGroupNotFoundFault: "},
		{"CreateCluster", create("x", `,"ParameterGroupName":"none"`),
			"ParameterGroupNotFoundFault: "},
		{"CreateCluster", create("x", `,"PreferredMaintenanceWindow":"sun:23:30-mon:00:15"`),
			"InvalidParameterValueException: "},
		{"CreateCluster", create("x", `,"NotificationTopicArn":"arn:aws:sns:eu-west-1:0:t"`),
			"InvalidParameterValueException: "},
		{"CreateCluster", create("x", `,"SecurityGroupIds":["x"]`),
			"InvalidParameterValueException: "},
		{"CreateCluster", create("x", `,"Tags":[{"Key":"aws:x"}]`),
			"InvalidParameterValueException: "},
		{"CreateCluster", create("x", `,"Tags":[`+many(51, `{"Key":"%d"}`)+`]`),
			"TagQuotaPerResourceExceeded: "},
		{"UpdateCluster", `{"ClusterName":"none"}`, "ClusterNotFoundFault: "},
		{"UpdateCluster", `{"ClusterName":"notes","NotificationTopicStatus":"x"}`,
			"InvalidParameterValueException: "},
		{"DeleteCluster", `{"ClusterName":"none"}`, "ClusterNotFoundFault: "},
		{"DescribeClusters", `{"ClusterNames":["none"]}`, "ClusterNotFoundFault: The requested " +
			"cluster ID does not refer to an existing DAX cluster."},
		{"DescribeClusters", `{"MaxResults":19}`, "InvalidParameterValueException: "},
		{"DescribeClusters", `{"NextToken":"x"}`, "InvalidParameterValueException: "},
		{"IncreaseReplicationFactor", `{"ClusterName":"notes","NewReplicationFactor":1}`,
			"InvalidParameterValueException: "},
		{"IncreaseReplicationFactor", `{"ClusterName":"notes","NewReplicationFactor":12}`,
			"NodeQuotaForClusterExceededFault: "},
		{"IncreaseReplicationFactor", `{"ClusterName":"notes","NewReplicationFactor":2,` +
			`"AvailabilityZones":["eu-west-1a"]}`, "InvalidParameterValueException: "},
		{"DecreaseReplicationFactor", `{"ClusterName":"notes","NewReplicationFactor":0}`,
			"InvalidParameterValueException: "},
		{"DecreaseReplicationFactor", `{"ClusterName":"notes","NewReplicationFactor":1}`,
			"InvalidParameterValueException: "},
		{"RebootNode", `{"ClusterName":"notes","NodeId":"notes-b"}`, "NodeNotFoundFault: "},
		{"CreateParameterGroup", `{"ParameterGroupName":"default.dax1.0"}`,
			"ParameterGroupAlreadyExistsFault: "},
		{"CreateParameterGroup", `{"ParameterGroupName":"free"}`, "ParameterGroupAlreadyExistsF"},
		{"UpdateParameterGroup", `{"ParameterGroupName":"used","ParameterNameValues":[{}]}`,
			"InvalidParameterGroupStateFault: You cannot modify a parameter group that is being used"},
		{"UpdateParameterGroup", `{"ParameterGroupName":"free","ParameterNameValues":[{}]}`,
			"InvalidParameterValueException: "},
		{"UpdateParameterGroup", `{"ParameterGroupName":"free","ParameterNameValues":[` +
			`{"ParameterName":"query-ttl-millis","ParameterValue":"-1"}]}`,
			"InvalidParameterValueException: "},
		{"UpdateParameterGroup", `{"ParameterGroupName":"free","ParameterNameValues":[` +
			many(21, `{"ParameterName":"query-ttl-millis","ParameterValue":"%d"}`) + `]}`,
			"InvalidParameterValueException: "},
		{"DeleteParameterGroup", `{"ParameterGroupName":"used"}`, "InvalidParameterGroupStateF"},
		{"DeleteParameterGroup", `{"ParameterGroupName":"default.dax1.0"}`,
			"InvalidParameterValueException: default.dax1.0 is reserved and cannot be modified."},
		{"DescribeParameters", `{"ParameterGroupName":"none"}`, "ParameterGroupNotFoundFault: "},
		{"DescribeParameterGroups", `{"ParameterGroupNames":["none"]}`,
			"ParameterGroupNotFoundFault: "},
		{"CreateSubnetGroup", `{"SubnetGroupName":"USED","SubnetIds":["subnet-1"]}`,
			"SubnetGroupAlreadyExistsFault: "},
		{"CreateSubnetGroup", `{"SubnetGroupName":"x","SubnetIds":["1"]}`, "InvalidSubnet: "},
		{"CreateSubnetGroup", `{"SubnetGroupName":"x","SubnetIds":[` + many(21, `"subnet-%d"`) + `]}`,
			"SubnetQuotaExceededFault: "},
		{"UpdateSubnetGroup", `{"SubnetGroupName":"used","SubnetIds":["subnet-2"]}`, "SubnetInUse: "},
		{"DeleteSubnetGroup", `{"SubnetGroupName":"used"}`, "SubnetGroupInUseFault: "},
		{"DeleteSubnetGroup", `{"SubnetGroupName":"default"}`,
			"InvalidParameterValueException: default is reserved and cannot be modified."},
		{"DescribeSubnetGroups", `{"SubnetGroupNames":["none"]}`, "SubnetGroupNotFoundFault: "},
		{"TagResource", `{"ResourceName":"notes","Tags":[{"Key":"a"}]}`, "InvalidARNFault: "},
		{"ListTags", `{"ResourceName":"arn:aws:dax:us-east-1:000000000000:cache/none"}`,
			"ClusterNotFoundFault: "},
		{"UntagResource", `{"ResourceName":"arn:aws:dax:us-east-1:000000000000:cache/notes",` +
			`"TagKeys":["none"]}`, "TagNotFoundFault: "},
		{"DescribeEvents", `{"SourceType":"NODE"}`, "InvalidParameterValueException: "},
		{"DescribeEvents", `{"StartTime":2,"EndTime":1}`, "InvalidParameterValueException: "},
		{"DescribeEvents", `{"StartTime":2,"EndTime":3,"Duration":1}`,
			"InvalidParameterCombinationException: "},
	} {
		_, failed := c.call(f.operation, f.body)
		assert.Truef(t, strings.HasPrefix(failed, f.want), "%s %s: %s", f.operation, f.body, failed)
	}
	assert.Equal(t, before, c.do("DescribeClusters", `{}`))
}

// TestClusterWithoutPort: a program is told that nobody answers, rather than to find out later.
func TestClusterWithoutPort(t *testing.T) {
	e := emulator.New()
	c := newControl(t, e)
	c.do("CreateParameterGroup", `{"ParameterGroupName":"g"}`)
	_, failed := c.call("CreateCluster", newCluster(1, ""))
	assert.Contains(t, failed, "InsufficientClusterCapacityFault: ")
	assert.Contains(t, failed, "This server has no accelerator: start it with --dax-port.")
	cluster, err := New(e, DefaultConfig())
	require.NoError(t, err)
	_, err = cluster.Listen("127.0.0.1:0", nil)
	require.NoError(t, err)
	_, failed = c.call("CreateCluster", newCluster(1, `,"ClusterEndpointEncryptionType":"TLS"`))
	assert.Contains(t, failed, "--dax-tls-port")
	c.do("CreateCluster", newCluster(1, ""))
	require.NoError(t, cluster.Close())
	list := c.do("DescribeClusters", `{}`)["Clusters"].([]any)
	assert.Equal(t, "incompatible-network", list[0].(map[string]any)["Status"])
}

// TestClusterStored: a directory keeps clusters as it keeps tables, and forks have them.
func TestClusterStored(t *testing.T) {
	dir := t.TempDir()
	open := func() *emulator.Emulator {
		db, err := disk.Open(dir, disk.Options{})
		require.NoError(t, err)
		e, err := emulator.Open(db)
		require.NoError(t, err)
		return e
	}
	e := open()
	cluster, err := New(e, DefaultConfig())
	require.NoError(t, err)
	_, err = cluster.Listen("127.0.0.1:0", nil)
	require.NoError(t, err)
	newControl(t, e).do("CreateCluster", newCluster(3, ""))
	newControl(t, e.Fork()).do("DeleteCluster", `{"ClusterName":"notes"}`)
	require.NoError(t, cluster.Close())
	require.NoError(t, e.Close())
	e = open()
	defer e.Close()
	list := newControl(t, e).do("DescribeClusters", `{}`)["Clusters"].([]any)
	require.Len(t, list, 1)
	assert.Equal(t, "notes", list[0].(map[string]any)["ClusterName"])
	cluster, err = New(e, DefaultConfig())
	require.NoError(t, err)
	defer cluster.Close()
	addr, err := cluster.Listen("127.0.0.1:0", nil)
	require.NoError(t, err)
	node := dial(t, addr)
	node.authorize(caller, "x", e.Now())
	ports := node.ports()
	require.Len(t, ports, 3, "the settings have one node")
	list = newControl(t, e).do("DescribeClusters", `{}`)["Clusters"].([]any)
	for i, n := range list[0].(map[string]any)["Nodes"].([]any) {
		assert.EqualValues(t, ports[i], n.(map[string]any)["Endpoint"].(map[string]any)["Port"])
	}
}

// TestClusterRights: operations on clusters need permissions on all resources (Developer Guide,
// "Managing DAX clusters", "IAM permissions"), and a signature for the service dax.
func TestClusterRights(t *testing.T) {
	directory, err := iam.Parse([]byte(`{"accessKeys": {"test": {"account": "111122223333",
		"user": "reader", "policies": [{"Version": "2012-10-17", "Statement": [
			{"Effect": "Allow", "Action": "dax:Describe*", "Resource": "*"},
			{"Effect": "Allow", "Action": "dax:*",
				"Resource": "arn:aws:dax:us-east-1:111122223333:cache/notes"}]}]}}}`))
	require.NoError(t, err)
	e := emulator.New(emulator.WithIAM(directory), emulator.WithCredentials(
		map[string]emulator.Secret{caller: {Key: "secret"}, "wrong": {Key: "other"}}))
	c := newControl(t, e)
	c.do("DescribeClusters", `{}`)
	_, failed := c.call("DeleteCluster", `{"ClusterName":"notes"}`)
	assert.Contains(t, failed, "AccessDeniedException: ")
	assert.Contains(t, failed, "is not authorized to perform: dax:DeleteCluster on resource: *")
	c.key = "wrong"
	_, failed = c.call("DescribeClusters", `{}`)
	assert.Contains(t, failed, "InvalidSignatureException: ")
}

// TestEntries: the caches say what they hold and since when, and what they have saved.
func TestEntries(t *testing.T) {
	b := held(t, func(c *Config) { c.ReplicationLag = 0 })
	cache, ok := acceleration.Of(b.server).Cache()
	require.True(t, ok)
	node := b.clients[0]
	require.Nil(t, node.put("1", strings.Repeat("x", 5000)))
	node.get("1")
	assert.Empty(t, cache.Saved(), "nobody observes")
	t.Cleanup(b.server.Observe(func(*emulator.Event) {}))
	node.get("1")
	assert.Equal(t, map[string]float64{"notes": 1}, cache.Saved(), "two units of 4 KB, eventually")
	b.advance(time.Minute)
	node.get("2")
	node.get("2")
	node.count()
	node.count()
	assert.Equal(t, map[string]float64{"notes": 4}, cache.Saved(), "1 + 0.5 + 2.5, of four partitions")
	var seen []string
	for _, x := range cache.Entries(10) {
		assert.Equal(t, caller+" us-east-1 notes 0 5m0s",
			fmt.Sprint(x.Scope.Owner, " ", x.Scope.Region, " ", x.Table, " ", x.Node, " ", x.Life))
		seen = append(seen, fmt.Sprint(x.Key, x.Query, x.Missing, b.server.Now().Sub(x.Written)))
	}
	assert.Equal(t, []string{`{"id":{"S":"2"}}true 0s`, `{"id":{"S":"1"}}false 1m0s`,
		`Scan{"TableName":"notes"}false 0s`}, seen)
	assert.Len(t, cache.Entries(1), 2, "one of each cache")
	other, _ := acceleration.Of(b.server.Fork()).Cache()
	assert.Empty(t, other.Entries(10), "a fork has its own")
	other.Clear()
	b.advance(4 * time.Minute)
	assert.Len(t, cache.Entries(10), 2, "what has expired is not there")
	cache.Clear()
	assert.Empty(t, cache.Entries(10))
}

// TestClearForgetsWhatIsOnItsWay: no node hears of an item after the caches were emptied.
func TestClearForgetsWhatIsOnItsWay(t *testing.T) {
	b := held(t, func(c *Config) { c.Nodes = 2 })
	require.Nil(t, b.clients[0].put("1", "old"))
	b.putBeside("1", "new")
	b.cluster.Clear()
	b.advance(time.Second)
	assert.Equal(t, "new", b.clients[1].get("1"))
	last := b.cluster.all()[1]
	assert.Zero(t, last.waiting)
	assert.Zero(t, last.bytes)
}

// TestClusterOverTLS: a cluster with encryption in transit leads to the port for TLS, which tells
// clients of its own ports.
func TestClusterOverTLS(t *testing.T) {
	lender := httptest.NewTLSServer(nil)
	defer lender.Close()
	b := newBench(t, nil)
	_, err := b.cluster.Listen("127.0.0.1:0",
		&tls.Config{Certificates: lender.TLS.Certificates})
	require.NoError(t, err)
	made := newControl(t, b.server).do("CreateCluster",
		newCluster(2, `,"ClusterEndpointEncryptionType":"TLS"`))
	endpoint := made["ClusterDiscoveryEndpoint"].(map[string]any)
	url := endpoint["URL"].(string)
	addr, ok := strings.CutPrefix(url, "daxs://")
	require.True(t, ok, url)
	roots := lender.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	conn, err := tls.Dial("tcp", addr, &tls.Config{RootCAs: roots})
	require.NoError(t, err)
	c := over(t, conn)
	c.authorize(caller, "x", b.server.Now())
	require.Nil(t, c.put("1", "secret"))
	assert.Equal(t, "secret", c.get("1"))
	ports := c.ports()
	require.Len(t, ports, 2)
	assert.EqualValues(t, endpoint["Port"], ports[0])
	assert.EqualValues(t, b.cluster.fronts[1].ports[1], ports[1], "not that of the other front")
}

// TestClusterPolicy: tenants share clusters, as they share tables.
func TestClusterPolicy(t *testing.T) {
	engine, err := policy.Compile(policy.Policy{
		Tenants: policy.Tenants{Callers: map[string]string{caller: "operations", "AK1": "one"},
			Privileged: []string{"operations"}},
		Tables: []policy.Table{{Name: "notes", Role: policy.Plain,
			Key: policy.KeySchema{Partition: "id"}}},
	})
	require.NoError(t, err)
	b := newBench(t, nil, emulator.WithPolicy(engine), emulator.WithSharedData(),
		emulator.WithLogger(slog.New(slog.DiscardHandler)))
	operator := newControl(t, b.server)
	operator.do("CreateCluster", newCluster(1, ""))
	before := operator.do("DescribeClusters", `{}`)
	for _, key := range []string{"AK1", "nobody"} {
		tenant := newControl(t, b.server)
		tenant.key = key
		for _, o := range []struct{ operation, body string }{
			{"CreateCluster", newCluster(1, "")}, {"UpdateCluster", `{"ClusterName":"notes"}`},
			{"DeleteCluster", `{"ClusterName":"notes"}`}, {"DescribeClusters", `{}`},
			{"TagResource", `{"ResourceName":"arn:aws:dax:us-east-1:000000000000:cache/notes",` +
				`"Tags":[{"Key":"a"}]}`},
			{"CreateParameterGroup", `{"ParameterGroupName":"g"}`},
		} {
			_, failed := tenant.call(o.operation, o.body)
			assert.Contains(t, failed, "tenant-operation", "%s %s", key, o.operation)
		}
	}
	assert.Equal(t, before, operator.do("DescribeClusters", `{}`))
	assert.Len(t, operator.do("DescribeParameterGroups", `{}`)["ParameterGroups"], 1)
}

// TestClusterHostile: a large request costs no more than its size, whatever it names, and one that
// is refused opens no port.
func TestClusterHostile(t *testing.T) {
	b := newBench(t, nil)
	c := newControl(t, b.server)
	c.do("CreateCluster", newCluster(1, ""))
	const arn = `"ResourceName":"arn:aws:dax:us-east-1:000000000000:cache/notes"`
	list := func(n int, format string) string {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, format+",", i)
		}
		return strings.TrimSuffix(text.String(), ",")
	}
	for _, f := range []struct{ operation, body, want string }{
		{"DescribeClusters", `null`, ""},
		{"DescribeClusters", `[]`, "SerializationException: "},
		{"DescribeClusters",
			`{"ClusterNames":["notes"` + strings.Repeat(`,"notes"`, 1e5) + `]}`, ""},
		{"CreateSubnetGroup", `{"SubnetGroupName":"s","SubnetIds":[` + list(2e5, `"subnet-%d"`) +
			`]}`, "SubnetQuotaExceededFault: "},
		{"CreateSubnetGroup", `{"SubnetGroupName":"s","SubnetIds":[]}`, "InvalidSubnet: "},
		{"TagResource", `{` + arn + `,"Tags":[` + list(2e5, `{"Key":"%d"}`) + `]}`,
			"TagQuotaPerResourceExceeded: "},
		{"DescribeEvents", `{"Duration":307445734561825861}`, "InvalidParameterValueException: "},
		{"DescribeEvents", `{"StartTime":1e300}`, "InvalidParameterValueException: "},
		{"IncreaseReplicationFactor", `{"ClusterName":"notes","NewReplicationFactor":2,` +
			`"AvailabilityZones":["x"]}`, "InvalidParameterValueException: "},
	} {
		out, failed := c.call(f.operation, f.body)
		if f.want == "" {
			assert.Empty(t, failed)
			assert.LessOrEqual(t, len(out["Clusters"].([]any)), 100)
			continue
		}
		assert.Truef(t, strings.HasPrefix(failed, f.want), "%s %.99s: %s", f.operation, f.body,
			failed)
	}
	assert.Len(t, b.cluster.all(), 1)
}

// TestClusterRaces: of many that create a cluster one does, and clients that use it while it is
// deleted get answers or lose their connections.
func TestClusterRaces(t *testing.T) {
	b := newBench(t, nil)
	c := newControl(t, b.server)
	var made atomic.Int32
	var work sync.WaitGroup
	for range 8 {
		work.Add(1)
		go func() {
			defer work.Done()
			if _, failed := c.call("CreateCluster", newCluster(3, "")); failed == "" {
				made.Add(1)
			} else {
				assert.Contains(t, failed, "ClusterAlreadyExistsFault")
			}
		}()
	}
	work.Wait()
	assert.EqualValues(t, 1, made.Load())
	get := encode(nil, 1, protocol.GetItem, table, []byte("1"), nil)
	for range 4 {
		user := dial(t, b.addrs[0])
		user.authorize(caller, "x", b.server.Now())
		user.ports() // it is authorized
		work.Add(1)
		go func() {
			defer work.Done()
			go io.Copy(io.Discard, user.Conn)
			for {
				if _, err := user.Write(get); err != nil {
					return
				}
			}
		}()
	}
	c.do("DeleteCluster", `{"ClusterName":"notes"}`)
	work.Wait()
	assert.Empty(t, c.do("DescribeClusters", `{}`)["Clusters"])
}
