package accelerators

import (
	"hash/fnv"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/kugiri-db/kugiri/emulator/internal/acceleration"
)

// States of clusters and nodes.
const (
	available = "available"
	creating  = "creating"
	deleting  = "deleting"
	modifying = "modifying"
	rebooting = "rebooting"
	// the status of a cluster to which no port leads any more: its data directory was opened
	// without one
	unreachable = "incompatible-network"
)

// maxTags is how many tags a cluster has (API Reference, Tag).
const maxTags = 50

// families are the node types (Developer Guide, "DAX cluster components", "Nodes").
var families = map[string]string{
	"t2": "small medium", "t3": "small medium",
	"r3":  "large xlarge 2xlarge 4xlarge 8xlarge",
	"r4":  "large xlarge 2xlarge 4xlarge 8xlarge 16xlarge",
	"r5":  "large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge",
	"r7i": "large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge",
}

func validNodeType(name string) bool {
	parts := strings.Split(name, ".")
	return len(parts) == 3 && parts[0] == "dax" &&
		slices.Contains(strings.Fields(families[parts[1]]), parts[2])
}

// form is a pattern that is compiled when it is first needed.
func form(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

var (
	roleForm   = form(`^arn:aws[a-z-]*:iam::\d{12}:role/[\w+=,.@/-]+$`)
	windowForm = form(`^(sun|mon|tue|wed|thu|fri|sat):([01]\d|2[0-3]):([0-5]\d)-` +
		`(sun|mon|tue|wed|thu|fri|sat):([01]\d|2[0-3]):([0-5]\d)$`)
	groupForm = form(`^sg-[0-9A-Za-z]+$`)
)

const days = "sunmontuewedthufrisat"

// validWindow reports whether a window has the form ddd:hh24:mi-ddd:hh24:mi and at least an hour.
func validWindow(window string) bool {
	m := windowForm().FindStringSubmatch(window)
	if m == nil {
		return false
	}
	minute := func(m []string) int {
		hours, _ := strconv.Atoi(m[1]) // the form has numbers
		minutes, _ := strconv.Atoi(m[2])
		return (strings.Index(days, m[0])/3*24+hours)*60 + minutes
	}
	const week = 7 * 24 * 60
	return (minute(m[4:])-minute(m[1:4])+week)%week >= 60
}

// someWindow is a window of an hour on a day that the name of the cluster decides.
func someWindow(name string) string {
	h := fnv.New32a()
	h.Write([]byte(name))
	day := h.Sum32() % 7 * 3
	return days[day:day+3] + ":05:00-" + days[day:day+3] + ":06:00"
}

// settings checks what CreateCluster and UpdateCluster set alike, and sets it.
func (x *call) settings(c *cluster) error {
	if err := x.described(); err != nil {
		return err
	}
	if x.Description != nil {
		c.Description = *x.Description
	}
	if window := strings.ToLower(text(x.PreferredMaintenanceWindow)); window != "" {
		if !validWindow(window) {
			return badValue("The parameter PreferredMaintenanceWindow has to be in the form "+
				"ddd:hh24:mi-ddd:hh24:mi, and to last 60 minutes or more: %.99q", window)
		}
		c.Window = window
	}
	if topic := text(x.NotificationTopicArn); topic != "" {
		if !strings.HasPrefix(topic, x.ARN("sns", "")) || len(topic) > 512 {
			return badValue("NotificationTopicArn is no topic of this account and region: %.99q",
				topic)
		}
		c.Topic, c.TopicStatus = topic, "active"
	}
	switch status := text(x.NotificationTopicStatus); {
	case status == "":
	case status != "active" && status != "inactive":
		return badValue("NotificationTopicStatus is active or inactive, not %.99q", status)
	default:
		c.TopicStatus = status
	}
	if len(x.SecurityGroupIds) > 0 {
		for _, id := range x.SecurityGroupIds {
			if !groupForm().MatchString(id) || len(id) > longestText ||
				len(x.SecurityGroupIds) > 50 {
				return badValue("SecurityGroupIds has no security groups, or more than 50: %.99q", id)
			}
		}
		c.SecurityGroups = x.SecurityGroupIds
	}
	if name := text(x.ParameterGroupName); name != "" {
		if x.named(name) == nil {
			return fault("ParameterGroupNotFoundFault")
		}
		c.ParameterGroup = name
	}
	return nil
}

// capacity returns an error if no port leads to a cluster with a number of nodes. It is clear about
// what is missing, rather than that a client finds nobody at the endpoint.
func (x *call) capacity(nodes int, encryption string) error {
	short := func(why string) error {
		return faultf("InsufficientClusterCapacityFault", "%s %s",
			texts["InsufficientClusterCapacityFault"], why)
	}
	a := x.Service.Accelerator.Get()
	if a == nil {
		return short("This server has no accelerator: start it with --dax-port.")
	}
	secure := encryption == "TLS"
	if a.Port(0, secure) == 0 {
		if secure {
			return short("This server's accelerator has no port for TLS: start it with --dax-tls-port.")
		}
		return short("This server's accelerator has a port for TLS only: start it with --dax-port.")
	}
	if err := a.Grow(nodes); err != nil {
		return short("This server has no ports for so many nodes: " + err.Error())
	}
	return nil
}

func createCluster(x *call) (object, error) {
	now := x.Now()
	c := &cluster{
		Name: strings.ToLower(text(x.ClusterName)), NodeType: text(x.NodeType),
		Role: text(x.IamRoleArn), ParameterGroup: defaultGroup, SubnetGroup: defaultSubnets,
		SecurityGroups: []string{x.made("sg")}, Encryption: "NONE", Tags: x.Tags,
		Ready: now.Add(x.Delays().Create),
	}
	c.Window = someWindow(c.Name)
	if err := x.created(c); err != nil {
		return nil, err
	}
	if x.find(c.Name, now) != nil {
		return nil, fault("ClusterAlreadyExistsFault")
	}
	if other := x.inUse(); other != nil {
		return nil, faultf("InsufficientClusterCapacityFault", "%s %s",
			texts["InsufficientClusterCapacityFault"], "This server's accelerator is the "+
				"cluster "+other.Name+" of this account and region, and there is one for each.")
	}
	if err := x.add(c, *x.ReplicationFactor, c.Ready); err != nil {
		return nil, err
	}
	if err := x.capacity(*x.ReplicationFactor, c.Encryption); err != nil {
		return nil, err
	}
	x.Clusters = append(x.Clusters, c)
	x.tell("CLUSTER", c.Name, "Cluster created.", c.Ready)
	return object{"Cluster": x.object(c)}, nil
}

// created checks what only CreateCluster sets, and sets it.
func (x *call) created(c *cluster) error {
	if err := identifier("ClusterName", c.Name, 20); err != nil {
		return err
	}
	switch nodes := *x.ReplicationFactor; {
	case nodes < 1:
		return badValue("The replication factor is at least 1, not %d.", nodes)
	case nodes > acceleration.MaxNodes:
		return fault("NodeQuotaForClusterExceededFault")
	case !validNodeType(c.NodeType):
		return badValue("Invalid DAX node type: %.99q", c.NodeType)
	case !roleForm().MatchString(c.Role) || len(c.Role) > 2048:
		return badValue("IamRoleArn is no ARN of a role: %.99q", c.Role)
	case x.AvailabilityZones != nil && len(x.AvailabilityZones) != nodes:
		return badCombination("There are %d availability zones for %d nodes.",
			len(x.AvailabilityZones), nodes)
	}
	if network := text(x.NetworkType); network != "" && network != "ipv4" {
		return badValue("The subnets of the subnet group support the network type ipv4, not %.99q.",
			network)
	}
	if x.SSESpecification != nil {
		if x.SSESpecification.Enabled == nil {
			return badValue("The parameter SSESpecification.Enabled must be provided.")
		}
		c.SSE = *x.SSESpecification.Enabled
	}
	switch encryption := text(x.ClusterEndpointEncryptionType); encryption {
	case "":
	case "NONE", "TLS":
		c.Encryption = encryption
	default:
		return badValue("ClusterEndpointEncryptionType is NONE or TLS, not %.99q.", encryption)
	}
	if name := text(x.SubnetGroupName); name != "" {
		if x.subnetsNamed(name) == nil {
			return fault("SubnetGroupNotFoundFault")
		}
		c.SubnetGroup = strings.ToLower(name)
	}
	if err := x.validTags(x.Tags); err != nil {
		return err
	}
	c.Tags = withTags(nil, x.Tags)
	if len(c.Tags) > maxTags {
		return fault("TagQuotaPerResourceExceeded")
	}
	return x.settings(c)
}

// existing returns the cluster that a request names.
func (x *call) existing() (*cluster, error) {
	c := x.find(strings.ToLower(text(x.ClusterName)), x.Now())
	if c == nil {
		return nil, fault("ClusterNotFoundFault")
	}
	return c, nil
}

// ready returns the cluster that a request names, if it may change now.
func (x *call) ready() (*cluster, error) {
	c, err := x.existing()
	if err == nil && c.status(x.Now()) != available {
		err = fault("InvalidClusterStateFault")
	}
	return c, err
}

func updateCluster(x *call) (object, error) {
	c, err := x.ready()
	if err == nil {
		err = x.settings(c)
	}
	if err != nil {
		return nil, err
	}
	c.Modified = x.Now().Add(x.Delays().Update)
	x.tell("CLUSTER", c.Name, "Cluster modified.", c.Modified)
	return object{"Cluster": x.object(c)}, nil
}

func deleteCluster(x *call) (object, error) {
	c, err := x.ready()
	if err != nil {
		return nil, err
	}
	c.Gone = x.Now().Add(x.Delays().Delete)
	for _, n := range slices.Backward(c.Nodes) {
		x.tell("CLUSTER", c.Name, "Removed node "+c.id(&n)+".", c.Gone)
		x.leave(n.Number, true)
	}
	x.tell("CLUSTER", c.Name, "Cluster deleted.", c.Gone)
	return object{"Cluster": x.object(c)}, nil
}

func describeClusters(x *call) (object, error) {
	now := x.Now()
	var list []*cluster
	for _, name := range x.ClusterNames {
		c := x.find(strings.ToLower(name), now)
		if c == nil {
			return nil, fault("ClusterNotFoundFault")
		}
		list = append(list, c)
	}
	if len(x.ClusterNames) == 0 {
		for _, c := range x.Clusters {
			if !c.over(now) {
				list = append(list, c)
			}
		}
	}
	return page(x, "Clusters", list, x.object)
}

// status is the state of a cluster, as far as it does not depend on the server.
func (c *cluster) status(now time.Time) string {
	switch {
	case !c.Gone.IsZero():
		return deleting
	case now.Before(c.Ready):
		return creating
	case now.Before(c.Modified):
		return modifying
	}
	for i := range c.Nodes {
		if n := &c.Nodes[i]; !n.over(now) && (n.status(now) == creating || !n.Gone.IsZero()) {
			return modifying
		}
	}
	return available
}

// object is a cluster as answers show it.
func (x *call) object(c *cluster) object {
	now := x.Now()
	secure := c.Encryption == "TLS"
	status := c.status(now)
	endpoint := x.endpoint(0, secure)
	if c.Gone.IsZero() && endpoint["Port"] == 0 {
		status = unreachable
	}
	if status != creating && endpoint["Port"] != 0 {
		scheme := "dax://"
		if secure {
			scheme = "daxs://"
		}
		endpoint["URL"] = scheme + hostPort(endpoint)
	} else {
		delete(endpoint, "Address")
	}
	groups := make([]object, len(c.SecurityGroups))
	for i, id := range c.SecurityGroups {
		groups[i] = object{"SecurityGroupIdentifier": id, "Status": "active"}
	}
	sse := "DISABLED"
	if c.SSE {
		sse = "ENABLED"
	}
	out := object{
		"ClusterName": c.Name, "ClusterArn": x.ARN("dax", "cache/"+c.Name), "Status": status,
		"NodeType": c.NodeType, "ClusterDiscoveryEndpoint": endpoint,
		"PreferredMaintenanceWindow": c.Window, "SubnetGroup": c.SubnetGroup,
		"SecurityGroups": groups, "IamRoleArn": c.Role, "SSEDescription": object{"Status": sse},
		"ParameterGroup": object{"ParameterGroupName": c.ParameterGroup,
			"ParameterApplyStatus": "in-sync", "NodeIdsToReboot": []string{}},
		"ClusterEndpointEncryptionType": c.Encryption, "NetworkType": "ipv4",
	}
	out.set("Description", c.Description)
	if c.Topic != "" {
		out["NotificationConfiguration"] = object{"TopicArn": c.Topic, "TopicStatus": c.TopicStatus}
	}
	x.showNodes(out, c, status, secure)
	return out
}
