package accelerators

import (
	"fmt"
	"net/http"

	"github.com/kugiri-db/kugiri/emulator/internal/apierr"
)

// texts holds the texts of the errors in the service's API model.
var texts = map[string]string{
	"ClusterAlreadyExistsFault":        "You already have a DAX cluster with the given identifier.",
	"ClusterNotFoundFault":             "The requested cluster ID does not refer to an existing DAX cluster.",
	"InsufficientClusterCapacityFault": "There are not enough system resources to create the cluster you requested (or to resize an already-existing cluster).",
	"InvalidARNFault":                  "The Amazon Resource Name (ARN) supplied in the request is not valid.",
	"InvalidClusterStateFault":         "The requested DAX cluster is not in the available state.",
	"InvalidParameterGroupStateFault":  "One or more parameters in a parameter group are in an invalid state.",
	"InvalidSubnet":                    "An invalid subnet identifier was specified.",
	"NodeNotFoundFault":                "None of the nodes in the cluster have the given node ID.",
	"NodeQuotaForClusterExceededFault": "You have attempted to exceed the maximum number of nodes for a DAX cluster.",
	"ParameterGroupAlreadyExistsFault": "The specified parameter group already exists.",
	"ParameterGroupNotFoundFault":      "The specified parameter group does not exist.",
	"ParameterGroupQuotaExceededFault": "You have attempted to exceed the maximum number of parameter groups.",
	"SubnetGroupAlreadyExistsFault":    "The specified subnet group already exists.",
	"SubnetGroupInUseFault":            "The specified subnet group is currently in use.",
	"SubnetGroupNotFoundFault":         "The requested subnet group name does not refer to an existing subnet group.",
	"SubnetGroupQuotaExceededFault":    "The request cannot be processed because it would exceed the allowed number of subnet groups.",
	"SubnetInUse":                      "The requested subnet is being used by another subnet group.",
	"SubnetQuotaExceededFault":         "The request cannot be processed because it would exceed the allowed number of subnets in a subnet group.",
	"TagNotFoundFault":                 "The tag does not exist.",
	"TagQuotaPerResourceExceeded":      "You have exceeded the maximum number of tags for this DAX cluster.",
}

// namespace is that of the service's shapes, which clients leave away.
const namespace = "com.amazonaws.dax.v20170419"

// fault is an error of the service. All have the status 400 (API Reference).
func fault(name string) error { return faultf(name, "%s", texts[name]) }

func faultf(name, format string, args ...any) error {
	return &apierr.Error{
		Type: &apierr.Type{
			Name: name, Namespace: namespace, Status: http.StatusBadRequest, Member: "message",
		},
		Message: fmt.Sprintf(format, args...),
	}
}

func badValue(format string, args ...any) error {
	return faultf("InvalidParameterValueException", format, args...)
}

func badCombination(format string, args ...any) error {
	return faultf("InvalidParameterCombinationException", format, args...)
}
