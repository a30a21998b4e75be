package accelerators

import (
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/acceleration"
)

func (n *node) status(now time.Time) string {
	switch {
	case n.over(now):
		return deleting
	case now.Before(n.Created):
		return creating
	case now.Before(n.Rebooted):
		return rebooting
	}
	return available
}

// id is the name of a node: "daxcluster-a".
func (c *cluster) id(n *node) string { return c.Name + "-" + string(rune('a'+n.Number)) }

// leave has the callers of the account leave a node of the accelerator once the request is done.
func (x *call) leave(number int, forget bool) {
	owner, region := x.Service.Owner(x.AccessKey), x.Region
	if x.Service.Shared {
		owner, region = "", ""
	}
	link, service := x.Service.Accelerator, x.Service.ID
	x.after = append(x.after, func() {
		if a := link.Get(); a != nil {
			a.Leave(number, forget, func(of acceleration.Scope) bool {
				return of.Service == service && of.Owner == owner && of.Region == region
			})
		}
	})
}

// add adds nodes to a cluster, which are there from a time on.
func (x *call) add(c *cluster, count int, from time.Time) error {
	for _, zone := range x.AvailabilityZones {
		if rest, ok := strings.CutPrefix(zone, x.Region); !ok || len(rest) != 1 ||
			rest[0] < 'a' || rest[0] > 'z' {
			return badValue("%.99q is no availability zone of %s.", zone, x.Region)
		}
	}
	for i := range count {
		n := node{Created: from}
		taken := func(other node) bool { return other.Number == n.Number }
		for slices.ContainsFunc(c.Nodes, taken) {
			n.Number++
		}
		n.Zone = x.zone(n.Number)
		if zones := x.AvailabilityZones; len(zones) > 0 {
			n.Zone = zones[i%len(zones)]
		}
		c.Nodes = append(c.Nodes, n)
	}
	slices.SortFunc(c.Nodes, func(a, b node) int { return a.Number - b.Number })
	return nil
}

func increase(x *call) (object, error) {
	c, err := x.ready()
	if err != nil {
		return nil, err
	}
	nodes := *x.NewReplicationFactor
	switch {
	case nodes <= len(c.Nodes):
		return nil, badValue("The new replication factor %d is not greater than the current one, %d.",
			nodes, len(c.Nodes))
	case nodes > acceleration.MaxNodes:
		return nil, fault("NodeQuotaForClusterExceededFault")
	}
	from, before := x.Now().Add(x.Delays().Update), len(c.Nodes)
	if err := x.add(c, nodes-before, from); err != nil {
		return nil, err
	}
	if err := x.capacity(nodes, c.Encryption); err != nil {
		return nil, err
	}
	x.tell("CLUSTER", c.Name, "Added "+strconv.Itoa(nodes-before)+" nodes.", from)
	return object{"Cluster": x.object(c)}, nil
}

func decrease(x *call) (object, error) {
	c, err := x.ready()
	if err != nil {
		return nil, err
	}
	left := *x.NewReplicationFactor
	count := len(c.Nodes) - left
	switch {
	case left < 1:
		return nil, badValue("The replication factor is at least 1, not %d: use DeleteCluster.", left)
	case count < 1:
		return nil, badValue("The new replication factor %d is not less than the current one, %d.",
			left, len(c.Nodes))
	case x.NodeIdsToRemove != nil && len(x.NodeIdsToRemove) != count:
		return nil, badCombination("There are %d nodes to remove, but the replication factor "+
			"decreases by %d.", len(x.NodeIdsToRemove), count)
	}
	for _, id := range x.NodeIdsToRemove {
		if c.node(id) == nil {
			return nil, fault("NodeNotFoundFault")
		}
	}
	gone := x.Now().Add(x.Delays().Update)
	for i := range slices.Backward(c.Nodes) {
		n := &c.Nodes[i]
		named := x.NodeIdsToRemove == nil || slices.Contains(x.NodeIdsToRemove, c.id(n))
		if x.AvailabilityZones != nil {
			named = named && slices.Contains(x.AvailabilityZones, n.Zone)
		}
		if count == 0 || !named {
			continue
		}
		count--
		n.Gone = gone
		x.tell("CLUSTER", c.Name, "Removed node "+c.id(n)+".", gone)
		x.leave(n.Number, true)
	}
	if count > 0 {
		return nil, badCombination("%d more nodes are to be removed than there are in the "+
			"availability zones and by the identifiers of the request.", count)
	}
	return object{"Cluster": x.object(c)}, nil
}

func (c *cluster) node(id string) *node {
	for i := range c.Nodes {
		if c.id(&c.Nodes[i]) == id {
			return &c.Nodes[i]
		}
	}
	return nil
}

// rebootNode ends the connections to a node. Its caches stay (API Reference, RebootNode).
func rebootNode(x *call) (object, error) {
	c, err := x.ready()
	if err != nil {
		return nil, err
	}
	n := c.node(text(x.NodeId))
	if n == nil {
		return nil, fault("NodeNotFoundFault")
	}
	n.Rebooted = x.Now().Add(x.Delays().Update)
	x.leave(n.Number, false)
	x.tell("CLUSTER", c.Name, "Node "+c.id(n)+" restarted.", n.Rebooted)
	return object{"Cluster": x.object(c)}, nil
}

// endpoint is where a node listens for clients who reach the server as this request does. Its port
// is 0 if it does not.
func (x *call) endpoint(number int, secure bool) object {
	a := x.Service.Accelerator.Get()
	if a == nil {
		return object{"Port": 0}
	}
	host := a.Host()
	if host == "" {
		host = "127.0.0.1"
		if at, ok := x.Ctx.Value(http.LocalAddrContextKey).(*net.TCPAddr); ok {
			host = at.IP.String()
		}
	}
	return object{"Address": host, "Port": a.Port(number, secure)}
}

func hostPort(endpoint object) string {
	return net.JoinHostPort(endpoint["Address"].(string), strconv.Itoa(endpoint["Port"].(int)))
}

// showNodes adds the nodes to a cluster's description, unless it is created or deleted, and then
// only those of its members that they have (API Reference, DescribeClusters).
func (x *call) showNodes(out object, c *cluster, status string, secure bool) {
	now := x.Now()
	total, active := 0, 0
	var list []object
	var leaving []string
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if n.over(now) {
			continue
		}
		total++
		one := object{"NodeId": c.id(n), "NodeStatus": n.status(now)}
		if !n.Gone.IsZero() {
			leaving = append(leaving, c.id(n))
		}
		if state := n.status(now); state != creating {
			if state == available {
				active++
			}
			if n.Gone.IsZero() {
				one["Endpoint"] = x.endpoint(n.Number, secure)
			}
			one["NodeCreateTime"] = seconds(n.Created)
			one["AvailabilityZone"] = n.Zone
			one["ParameterGroupStatus"] = "in-sync"
		}
		list = append(list, one)
	}
	out["TotalNodes"] = total
	if status == creating || status == deleting {
		out["ActiveNodes"] = 0
		return
	}
	out["ActiveNodes"], out["Nodes"] = active, list
	if leaving != nil {
		out["NodeIdsToRemove"] = leaving
	}
}

// seconds is a time as the protocol writes it.
func seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }
