package definition

import "testing"

// registryModule has the shape of the module that most projects use for tables,
// terraform-aws-modules/dynamodb-table: its documented variables, with counts, dynamic blocks and
// lookups.
const registryModule = `
variable "create_table" {
  type    = bool
  default = true
}
variable "name" {
  type    = string
  default = null
}
variable "attributes" {
  type    = list(map(string))
  default = []
}
variable "hash_key" {
  type    = string
  default = null
}
variable "range_key" {
  type    = string
  default = null
}
variable "billing_mode" {
  type    = string
  default = "PAY_PER_REQUEST"
}
variable "read_capacity" {
  type    = number
  default = null
}
variable "ttl_enabled" {
  type    = bool
  default = false
}
variable "ttl_attribute_name" {
  type    = string
  default = ""
}
variable "global_secondary_indexes" {
  type    = any
  default = []
}
variable "replica_regions" {
  type    = any
  default = []
}
variable "stream_enabled" {
  type    = bool
  default = false
}
variable "stream_view_type" {
  type    = string
  default = null
}
variable "point_in_time_recovery_enabled" {
  type    = bool
  default = false
}
variable "server_side_encryption_enabled" {
  type    = bool
  default = false
}
variable "server_side_encryption_kms_key_arn" {
  type    = string
  default = null
}
variable "autoscaling_enabled" {
  type    = bool
  default = false
}
variable "tags" {
  type    = map(string)
  default = {}
}
variable "timeouts" {
  type    = map(string)
  default = { create = "10m" }
}
resource "aws_dynamodb_table" "this" {
  count            = var.create_table && !var.autoscaling_enabled ? 1 : 0
  name             = var.name
  billing_mode     = var.billing_mode
  hash_key         = var.hash_key
  range_key        = var.range_key
  read_capacity    = var.read_capacity
  stream_enabled   = var.stream_enabled
  stream_view_type = var.stream_view_type
  ttl {
    enabled        = var.ttl_enabled
    attribute_name = var.ttl_attribute_name
  }
  point_in_time_recovery { enabled = var.point_in_time_recovery_enabled }
  dynamic "attribute" {
    for_each = var.attributes
    content {
      name = attribute.value.name
      type = attribute.value.type
    }
  }
  dynamic "global_secondary_index" {
    for_each = var.global_secondary_indexes
    content {
      name               = global_secondary_index.value.name
      hash_key           = global_secondary_index.value.hash_key
      projection_type    = global_secondary_index.value.projection_type
      range_key          = lookup(global_secondary_index.value, "range_key", null)
      read_capacity      = lookup(global_secondary_index.value, "read_capacity", null)
      non_key_attributes = lookup(global_secondary_index.value, "non_key_attributes", null)
      dynamic "on_demand_throughput" {
        for_each = try([global_secondary_index.value.on_demand_throughput], [])
        content {
          max_read_request_units = try(on_demand_throughput.value.max_read_request_units, null)
        }
      }
    }
  }
  dynamic "replica" {
    for_each = var.replica_regions
    content {
      region_name    = replica.value.region_name
      kms_key_arn    = lookup(replica.value, "kms_key_arn", null)
      propagate_tags = lookup(replica.value, "propagate_tags", null)
    }
  }
  server_side_encryption {
    enabled     = var.server_side_encryption_enabled
    kms_key_arn = var.server_side_encryption_kms_key_arn
  }
  tags = merge(var.tags, { "Name" = format("%s", var.name) })
  timeouts {
    create = lookup(var.timeouts, "create", null)
  }
}
output "dynamodb_table_id" {
  value = try(aws_dynamodb_table.this[0].id, "")
}
`

func TestRegistryModule(t *testing.T) {
	testCorpus(t, corpusCase{
		files: map[string]string{
			"main.tf": `
module "table" {
  source   = "terraform-aws-modules/dynamodb-table/aws"
  name     = "orders"
  hash_key = "id"
  range_key = "title"
  attributes = [{ name = "id", type = "N" }, { name = "title", type = "S" }]
  global_secondary_indexes = [{
    name = "by", hash_key = "title", projection_type = "INCLUDE", non_key_attributes = ["id"]
    on_demand_throughput = { max_read_request_units = 1 }
  }]
  replica_regions    = [{ region_name = "us-east-1" }]
  stream_enabled     = true
  stream_view_type   = "NEW_AND_OLD_IMAGES"
  ttl_enabled        = true
  ttl_attribute_name = "x"
  tags               = { team = "a" }
}
` + hclTable("after", `  name = "after-${module.table.dynamodb_table_id}"`),
			".terraform/modules/modules.json":  `{"Modules": [{"Key": "table", "Dir": ".terraform/modules/table"}]}`,
			".terraform/modules/table/main.tf": registryModule,
		},
		paths: []string{""},
		tables: []string{"orders (id:N,title:S) PAY_PER_REQUEST gsi by (title) INCLUDE+id at most 1/0 " +
			"stream NEW_AND_OLD_IMAGES ttl x true pitr false Name=orders team=a replicas us-east-1 encrypted",
			"after-orders (pk:S) PAY_PER_REQUEST"},
	})
}
