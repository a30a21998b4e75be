# The table follows for Terraform.
resource "aws_dynamodb_table" "follows" {
  name         = "follows"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "PK_GSI1SK"
  range_key    = "SK_GSI1PK"

  attribute {
    name = "PK_GSI1SK"
    type = "S"
  }

  attribute {
    name = "SK_GSI1PK"
    type = "S"
  }

  global_secondary_index {
    name            = "GSI1"
    hash_key        = "SK_GSI1PK"
    range_key       = "PK_GSI1SK"
    projection_type = "ALL"
  }
}
