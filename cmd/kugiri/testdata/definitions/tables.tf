resource "aws_dynamodb_table" "Table2smallTable" {
  name           = "2small"
  billing_mode   = "PROVISIONED"
  hash_key       = "id"
  read_capacity  = 3
  write_capacity = 4

  attribute {
    name = "id"
    type = "S"
  }

  attribute {
    name = "to"
    type = "S"
  }

  global_secondary_index {
    name            = "to-whom"
    hash_key        = "to"
    projection_type = "ALL"
    read_capacity   = 1
    write_capacity  = 2
  }
}

resource "aws_dynamodb_table" "OrdersOf2026Table" {
  name                        = "orders.of-2026"
  billing_mode                = "PAY_PER_REQUEST"
  hash_key                    = "id"
  range_key                   = "sort key"
  stream_enabled              = true
  stream_view_type            = "NEW_AND_OLD_IMAGES"
  table_class                 = "STANDARD_INFREQUENT_ACCESS"
  deletion_protection_enabled = true
  tags = {
    "a:b" = "c+d"
    team  = "shop"
  }

  attribute {
    name = "a"
    type = "S"
  }

  attribute {
    name = "b"
    type = "S"
  }

  attribute {
    name = "id"
    type = "S"
  }

  attribute {
    name = "sort key"
    type = "N"
  }

  attribute {
    name = "who"
    type = "B"
  }

  global_secondary_index {
    name               = "by.who"
    hash_key           = "who"
    projection_type    = "INCLUDE"
    non_key_attributes = ["x", "y"]

    on_demand_throughput {
      max_read_request_units  = 5
      max_write_request_units = 6
    }
  }

  global_secondary_index {
    name            = "by-two"
    projection_type = "ALL"

    key_schema {
      attribute_name = "a"
      key_type       = "HASH"
    }

    key_schema {
      attribute_name = "b"
      key_type       = "HASH"
    }

    key_schema {
      attribute_name = "sort key"
      key_type       = "RANGE"
    }
  }

  local_secondary_index {
    name            = "local"
    range_key       = "who"
    projection_type = "KEYS_ONLY"
  }

  ttl {
    attribute_name = "expires"
    enabled        = true
  }

  point_in_time_recovery {
    enabled                 = true
    recovery_period_in_days = 7
  }

  server_side_encryption {
    enabled     = true
    kms_key_arn = "arn:aws:kms:us-east-1:000000000000:key/39c1cfa7-f092-3877-dbd5-2a7b688f6659"
  }

  on_demand_throughput {
    max_read_request_units  = 50
    max_write_request_units = 60
  }

  warm_throughput {
    read_units_per_second  = 13000
    write_units_per_second = 5000
  }
}

resource "aws_dynamodb_contributor_insights" "OrdersOf2026Table" {
  table_name = aws_dynamodb_table.OrdersOf2026Table.name
}

resource "aws_dynamodb_contributor_insights" "OrdersOf2026Table-by_who" {
  table_name = aws_dynamodb_table.OrdersOf2026Table.name
  index_name = "by.who"
  mode       = "THROTTLED_KEYS"
}

resource "aws_dynamodb_resource_policy" "OrdersOf2026Table" {
  resource_arn = aws_dynamodb_table.OrdersOf2026Table.arn
  policy       = "{\"Statement\":[{\"Action\":\"dynamodb:GetItem\",\"Effect\":\"Allow\",\"Principal\":{\"AWS\":\"arn:aws:iam::123456789012:root\"},\"Resource\":\"arn:aws:dynamodb:us-east-1:000000000000:table/orders.of-2026\"}],\"Version\":\"2012-10-17\"}"
}
