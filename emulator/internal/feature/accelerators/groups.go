package accelerators

import (
	"cmp"
	"hash/fnv"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Quotas (Developer Guide, "Quotas", "DynamoDB Accelerator (DAX)").
const (
	maxGroups       = 20
	maxSubnetGroups = 50
	maxSubnets      = 20
	longestText     = 255 // longest name or description, as ElastiCache has it
)

// The groups that every account has.
const (
	defaultGroup   = "default.dax1.0"
	defaultSubnets = "default"
)

const (
	recordTTL = "record-ttl-millis"
	queryTTL  = "query-ttl-millis"
)

// identifier checks the form of a name.
func identifier(member, name string, longest int) error {
	ok := len(name) <= longest && name != "" && !strings.HasSuffix(name, "-") &&
		!strings.Contains(name, "--")
	for i, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		ok = ok && (letter || i > 0 && (r == '-' || r >= '0' && r <= '9'))
	}
	if !ok {
		return badValue("The parameter %s is not a valid identifier. Identifiers must begin with a "+
			"letter; must contain only ASCII letters, digits, and hyphens; must not end with a "+
			"hyphen or contain two consecutive hyphens; and have at most %d characters.",
			member, longest)
	}
	return nil
}

// described checks the length of a description.
func (x *call) described() error {
	if len(text(x.Description)) > longestText {
		return badValue("Description must have at most %d characters.", longestText)
	}
	return nil
}

func reserved(name string) error {
	// turned down by the service as "default is reserved and cannot be modified."
	return badValue("%s is reserved and cannot be modified.", name)
}

func (g *parameterGroup) object() object {
	return object{"ParameterGroupName": g.Name, "Description": g.Description}
}

// named returns a parameter group, also the default one.
func (c *content) named(name string) *parameterGroup {
	if name == defaultGroup {
		return &parameterGroup{defaultGroup, "Default parameter group for dax1.0", -1, -1}
	}
	return c.group(name)
}

func createParameterGroup(x *call) (object, error) {
	name := text(x.ParameterGroupName)
	err := cmp.Or(identifier("ParameterGroupName", name, longestText), x.described())
	switch {
	case err != nil && name != defaultGroup:
		return nil, err
	case x.named(name) != nil:
		return nil, fault("ParameterGroupAlreadyExistsFault")
	case len(x.Groups)+1 >= maxGroups:
		return nil, fault("ParameterGroupQuotaExceededFault")
	}
	g := &parameterGroup{name, text(x.Description), -1, -1}
	x.Groups = append(x.Groups, g)
	x.tell("PARAMETER_GROUP", name, "Parameter group "+name+" has been created.", x.Now())
	return object{"ParameterGroup": g.object()}, nil
}

// changeable returns a parameter group that may change: "You cannot modify a parameter group that
// is being used by a running DAX instance" (Developer Guide, "Managing DAX clusters", "Configuring
// TTL settings").
func (x *call) changeable() (*parameterGroup, error) {
	name := text(x.ParameterGroupName)
	if name == defaultGroup {
		return nil, reserved(name)
	}
	g := x.group(name)
	if g == nil {
		return nil, fault("ParameterGroupNotFoundFault")
	}
	for _, c := range x.Clusters {
		if c.ParameterGroup == name {
			return nil, faultf("InvalidParameterGroupStateFault",
				"You cannot modify a parameter group that is being used by a running DAX instance: %s",
				c.Name)
		}
	}
	return g, nil
}

func updateParameterGroup(x *call) (object, error) {
	g, err := x.changeable()
	if err != nil {
		return nil, err
	}
	if len(x.ParameterNameValues) > 20 {
		return nil, badValue("You can modify up to 20 parameters in a single request.")
	}
	for _, p := range x.ParameterNameValues {
		to := &g.ItemTTL
		switch name := text(p.ParameterName); name {
		case recordTTL:
		case queryTTL:
			to = &g.QueryTTL
		default:
			return nil, badValue("%s and %s are the only supported parameter names, not %.99q.",
				recordTTL, queryTTL, name)
		}
		n, err := strconv.ParseInt(text(p.ParameterValue), 10, 64)
		if err != nil || n < 0 || n > math.MaxInt64/int64(time.Millisecond) {
			return nil, badValue("The value %.99q of %s is not in the range of allowed values, 0-.",
				text(p.ParameterValue), text(p.ParameterName))
		}
		*to = n
	}
	x.tell("PARAMETER_GROUP", g.Name, "Parameter group "+g.Name+" has been modified.", x.Now())
	return object{"ParameterGroup": g.object()}, nil
}

func deleteParameterGroup(x *call) (object, error) {
	g, err := x.changeable()
	if err != nil {
		return nil, err
	}
	x.Groups = slices.DeleteFunc(x.Groups, func(one *parameterGroup) bool { return one == g })
	message := "Parameter group " + g.Name + " has been deleted."
	x.tell("PARAMETER_GROUP", g.Name, message, x.Now())
	return object{"DeletionMessage": message}, nil
}

func describeParameterGroups(x *call) (object, error) {
	names := x.ParameterGroupNames
	if len(names) == 0 {
		names = []string{defaultGroup}
		for _, g := range x.Groups {
			names = append(names, g.Name)
		}
		slices.Sort(names)
	}
	var list []*parameterGroup
	for _, name := range names {
		g := x.named(name)
		if g == nil {
			return nil, fault("ParameterGroupNotFoundFault")
		}
		list = append(list, g)
	}
	return page(x, "ParameterGroups", list, (*parameterGroup).object)
}

// standardTTL is how long the caches of the service keep what they have, unless a group says
// otherwise.
const standardTTL = 5 * time.Minute

// parameters lists the parameters of a group.
func (x *call) parameters(g *parameterGroup) (object, error) {
	itemTTL, searchTTL := standardTTL, standardTTL
	if a := x.Service.Accelerator.Get(); a != nil {
		itemTTL, searchTTL = a.TTLs()
	}
	one := func(name, description string, millis int64, standard time.Duration) object {
		if millis < 0 {
			millis = standard.Milliseconds()
		}
		return object{
			"ParameterName": name, "ParameterType": "DEFAULT", "Description": description,
			"ParameterValue": strconv.FormatInt(millis, 10), "NodeTypeSpecificValues": []object{},
			"Source": "user", "DataType": "integer", "AllowedValues": "0-",
			"IsModifiable": "TRUE", "ChangeType": "IMMEDIATE",
		}
	}
	list := []object{
		one(queryTTL, "Duration in milliseconds for queries to remain cached", g.QueryTTL, searchTTL),
		one(recordTTL, "Duration in milliseconds for records to remain valid in cache "+
			"(Default: 0 = infinite)", g.ItemTTL, itemTTL),
	}
	if source := text(x.Source); source != "" && source != "user" {
		list = []object{}
	}
	return page(x, "Parameters", list, object.itself)
}

func describeDefaultParameters(x *call) (object, error) {
	x.Source = nil
	return x.parameters(x.named(defaultGroup))
}

func describeParameters(x *call) (object, error) {
	g := x.named(text(x.ParameterGroupName))
	if g == nil {
		return nil, fault("ParameterGroupNotFoundFault")
	}
	return x.parameters(g)
}

// made is an identifier of something that only the service could have made, of its kind and for the
// account and region.
func (x *call) made(kind string) string {
	h := fnv.New64a()
	h.Write([]byte(kind + x.Account + x.Region))
	return kind + "-0" + strconv.FormatUint(h.Sum64()|1<<63, 16)
}

// zones are those of the region, as far as clusters use them.
func (x *call) zone(i int) string { return x.Region + string(rune('a'+i%3)) }

func (x *call) subnetObject(g *subnetGroup) object {
	list := make([]object, len(g.Subnets))
	for i, id := range g.Subnets {
		list[i] = object{"SubnetIdentifier": id, "SubnetAvailabilityZone": x.zone(i),
			"SupportedNetworkTypes": []string{"ipv4"}}
	}
	out := object{"SubnetGroupName": g.Name, "VpcId": x.made("vpc"), "Subnets": list,
		"SupportedNetworkTypes": []string{"ipv4"}}
	out.set("Description", g.Description)
	return out
}

// subnetsNamed returns a subnet group, also the default one. Names are in lowercase.
func (x *call) subnetsNamed(name string) *subnetGroup {
	if name = strings.ToLower(name); name == defaultSubnets {
		return &subnetGroup{defaultSubnets, "Default CacheSubnetGroup",
			[]string{x.made("subnet")}}
	}
	return x.subnets(name)
}

// validSubnets checks the subnets of a request.
func (x *call) validSubnets() error {
	if len(x.SubnetIds) > maxSubnets {
		return fault("SubnetQuotaExceededFault")
	}
	if x.SubnetIds != nil && len(x.SubnetIds) == 0 {
		return fault("InvalidSubnet")
	}
	for i, id := range x.SubnetIds {
		rest, ok := strings.CutPrefix(id, "subnet-")
		if !ok || rest == "" || len(id) > longestText || slices.Contains(x.SubnetIds[:i], id) {
			return faultf("InvalidSubnet", "%s [%.99s]", texts["InvalidSubnet"], id)
		}
	}
	return x.described()
}

func createSubnetGroup(x *call) (object, error) {
	name := strings.ToLower(text(x.SubnetGroupName))
	if err := identifier("SubnetGroupName", name, longestText); err != nil {
		return nil, err
	}
	if x.subnetsNamed(name) != nil {
		return nil, fault("SubnetGroupAlreadyExistsFault")
	}
	if err := x.validSubnets(); err != nil {
		return nil, err
	}
	if len(x.Subnets)+1 >= maxSubnetGroups {
		return nil, fault("SubnetGroupQuotaExceededFault")
	}
	g := &subnetGroup{name, text(x.Description), x.SubnetIds}
	x.Subnets = append(x.Subnets, g)
	x.tell("SUBNET_GROUP", name, "Subnet group "+name+" has been created.", x.Now())
	return object{"SubnetGroup": x.subnetObject(g)}, nil
}

// changeableSubnets returns a subnet group that is not the default one, and the cluster in it.
func (x *call) changeableSubnets() (g *subnetGroup, user *cluster, err error) {
	name := strings.ToLower(text(x.SubnetGroupName))
	if name == defaultSubnets {
		return nil, nil, reserved(name)
	}
	if g = x.subnets(name); g == nil {
		return nil, nil, fault("SubnetGroupNotFoundFault")
	}
	for _, c := range x.Clusters {
		if c.SubnetGroup == name {
			user = c
		}
	}
	return g, user, nil
}

func updateSubnetGroup(x *call) (object, error) {
	g, user, err := x.changeableSubnets()
	if err == nil {
		err = x.validSubnets()
	}
	if err != nil {
		return nil, err
	}
	if x.SubnetIds != nil {
		for _, id := range g.Subnets {
			if user != nil && !slices.Contains(x.SubnetIds, id) {
				return nil, faultf("SubnetInUse", "The requested subnet %s is being used by %s.", id,
					user.Name)
			}
		}
		g.Subnets = x.SubnetIds
	}
	if x.Description != nil {
		g.Description = *x.Description
	}
	x.tell("SUBNET_GROUP", g.Name, "Subnet group "+g.Name+" has been modified.", x.Now())
	return object{"SubnetGroup": x.subnetObject(g)}, nil
}

func deleteSubnetGroup(x *call) (object, error) {
	g, user, err := x.changeableSubnets()
	if err != nil {
		return nil, err
	}
	if user != nil {
		return nil, fault("SubnetGroupInUseFault")
	}
	x.Subnets = slices.DeleteFunc(x.Subnets, func(one *subnetGroup) bool { return one == g })
	message := "Subnet group " + g.Name + " has been deleted."
	x.tell("SUBNET_GROUP", g.Name, message, x.Now())
	return object{"DeletionMessage": message}, nil
}

func describeSubnetGroups(x *call) (object, error) {
	names := x.SubnetGroupNames
	if len(names) == 0 {
		names = []string{defaultSubnets}
		for _, g := range x.Subnets {
			names = append(names, g.Name)
		}
		slices.Sort(names)
	}
	var list []*subnetGroup
	for _, name := range names {
		g := x.subnetsNamed(name)
		if g == nil {
			return nil, fault("SubnetGroupNotFoundFault")
		}
		list = append(list, g)
	}
	return page(x, "SubnetGroups", list, x.subnetObject)
}
