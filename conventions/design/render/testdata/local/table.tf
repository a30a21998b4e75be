# The table baskets for Terraform.
resource "aws_dynamodb_table" "baskets" {
  name         = "baskets"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "PK"
  range_key    = "SK_GSI1PK"

  attribute {
    name = "PK"
    type = "S"
  }

  attribute {
    name = "SK_GSI1PK"
    type = "S"
  }

  attribute {
    name = "GSI1SK"
    type = "S"
  }

  attribute {
    name = "LSI1SK"
    type = "S"
  }

  attribute {
    name = "LSI2SK"
    type = "N"
  }

  global_secondary_index {
    name            = "GSI1"
    hash_key        = "SK_GSI1PK"
    range_key       = "GSI1SK"
    projection_type = "ALL"
  }

  local_secondary_index {
    name            = "LSI1"
    range_key       = "LSI1SK"
    projection_type = "ALL"
  }

  local_secondary_index {
    name            = "LSI2"
    range_key       = "LSI2SK"
    projection_type = "ALL"
  }
}
