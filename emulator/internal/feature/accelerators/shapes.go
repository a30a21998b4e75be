package accelerators

import "encoding/json"

// request has the members of all requests. A member that the operation does not have is ignored, as
// the service ignores members that it does not know.
type request struct {
	ClusterName, NodeType, Description, SubnetGroupName, ParameterGroupName *string
	PreferredMaintenanceWindow, NotificationTopicArn                        *string
	NotificationTopicStatus, IamRoleArn, ClusterEndpointEncryptionType      *string
	NetworkType, NodeId, ResourceName, NextToken                            *string
	Source, SourceName, SourceType                                          *string
	ReplicationFactor, NewReplicationFactor, MaxResults, Duration           *int
	StartTime, EndTime                                                      *float64 // seconds
	AvailabilityZones, SecurityGroupIds, NodeIdsToRemove, SubnetIds         []string
	ClusterNames, ParameterGroupNames, SubnetGroupNames, TagKeys            []string
	Tags                                                                    []tag
	SSESpecification                                                        *struct{ Enabled *bool }
	ParameterNameValues                                                     []parameterValue
}

type parameterValue struct{ ParameterName, ParameterValue *string }

// tag is a label of a cluster.
type tag struct {
	Key   string
	Value string `json:",omitempty"`
}

// object is a structure of an answer. Its members come in the order of their names.
type object map[string]any

// set adds a member unless it is empty.
func (o object) set(name, value string) {
	if value != "" {
		o[name] = value
	}
}

func (o object) itself() object { return o }

func (o object) append(dst []byte) ([]byte, error) {
	text, err := json.Marshal(o)
	return append(dst, text...), err
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
