// The table products for the AWS CDK: new ProductsTable(stack, "Table").
import { RemovalPolicy } from "aws-cdk-lib";
import * as dynamodb from "aws-cdk-lib/aws-dynamodb";
import { Construct } from "constructs";

export class ProductsTable extends Construct {
  readonly table: dynamodb.Table;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.table = new dynamodb.Table(this, "Table", {
      tableName: "products",
      partitionKey: { name: "pk", type: dynamodb.AttributeType.STRING },
      billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: "expires",
      removalPolicy: RemovalPolicy.RETAIN,
    });
    this.table.addGlobalSecondaryIndex({
      indexName: "by-brand",
      partitionKey: { name: "GSI1PK", type: dynamodb.AttributeType.STRING },
      sortKey: { name: "GSI1SK", type: dynamodb.AttributeType.STRING },
      projectionType: dynamodb.ProjectionType.ALL,
    });
    const template = this.table.node.defaultChild as dynamodb.CfnTable;
    template.addPropertyOverride("AttributeDefinitions", [
      {
        "AttributeName": "pk",
        "AttributeType": "S"
      },
      {
        "AttributeName": "GSI1PK",
        "AttributeType": "S"
      },
      {
        "AttributeName": "GSI1SK",
        "AttributeType": "S"
      },
      {
        "AttributeName": "category",
        "AttributeType": "S"
      },
      {
        "AttributeName": "brand",
        "AttributeType": "S"
      }
    ]);
    template.addPropertyOverride("VectorIndexes", [
      {
        "Dimensions": 8,
        "DistanceFunction": "COSINE",
        "IndexName": "by-embedding",
        "Projection": {
          "ProjectionType": "ALL"
        },
        "SearchSchema": [
          {
            "AttributeName": "category",
            "SearchSchemaElementType": "HASH"
          },
          {
            "AttributeName": "brand",
            "SearchSchemaElementType": "INLINE_FILTER"
          }
        ],
        "VectorAttribute": {
          "AttributeName": "embedding"
        }
      },
      {
        "Dimensions": 4,
        "DistanceFunction": "COSINE",
        "IndexName": "VECTOR2",
        "Projection": {
          "ProjectionType": "ALL"
        },
        "VectorAttribute": {
          "AttributeName": "review_embedding"
        }
      }
    ]);
  }
}
