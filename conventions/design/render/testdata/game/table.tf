# The table battle-royale for Terraform.
resource "aws_dynamodb_table" "battle-royale" {
  name         = "battle-royale"
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
    name = "GSI1SK_GSI2SK"
    type = "S"
  }

  attribute {
    name = "GSI2PK"
    type = "S"
  }

  global_secondary_index {
    name            = "GSI1"
    hash_key        = "SK_GSI1PK"
    range_key       = "GSI1SK_GSI2SK"
    projection_type = "ALL"
  }

  global_secondary_index {
    name            = "GSI2"
    hash_key        = "GSI2PK"
    range_key       = "GSI1SK_GSI2SK"
    projection_type = "ALL"
  }
}
