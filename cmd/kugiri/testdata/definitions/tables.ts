import { CfnTable } from "aws-cdk-lib/aws-dynamodb";
import { RemovalPolicy, Stack, StackProps } from "aws-cdk-lib";
import { Construct } from "constructs";

export class TablesStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);

    new CfnTable(this, "Table2smallTable", {
      tableName: "2small",
      attributeDefinitions: [{
        attributeName: "id",
        attributeType: "S",
      }, {
        attributeName: "to",
        attributeType: "S",
      }],
      keySchema: [{
        attributeName: "id",
        keyType: "HASH",
      }],
      billingMode: "PROVISIONED",
      provisionedThroughput: {
        readCapacityUnits: 3,
        writeCapacityUnits: 4,
      },
      globalSecondaryIndexes: [{
        indexName: "to-whom",
        keySchema: [{
          attributeName: "to",
          keyType: "HASH",
        }],
        projection: {
          projectionType: "ALL",
        },
        provisionedThroughput: {
          readCapacityUnits: 1,
          writeCapacityUnits: 2,
        },
      }],
    }).applyRemovalPolicy(RemovalPolicy.RETAIN);

    new CfnTable(this, "OrdersOf2026Table", {
      tableName: "orders.of-2026",
      attributeDefinitions: [{
        attributeName: "a",
        attributeType: "S",
      }, {
        attributeName: "b",
        attributeType: "S",
      }, {
        attributeName: "id",
        attributeType: "S",
      }, {
        attributeName: "sort key",
        attributeType: "N",
      }, {
        attributeName: "who",
        attributeType: "B",
      }],
      keySchema: [{
        attributeName: "id",
        keyType: "HASH",
      }, {
        attributeName: "sort key",
        keyType: "RANGE",
      }],
      billingMode: "PAY_PER_REQUEST",
      onDemandThroughput: {
        maxReadRequestUnits: 50,
        maxWriteRequestUnits: 60,
      },
      warmThroughput: {
        readUnitsPerSecond: 13000,
        writeUnitsPerSecond: 5000,
      },
      globalSecondaryIndexes: [{
        indexName: "by.who",
        keySchema: [{
          attributeName: "who",
          keyType: "HASH",
        }],
        projection: {
          nonKeyAttributes: ["x", "y"],
          projectionType: "INCLUDE",
        },
        onDemandThroughput: {
          maxReadRequestUnits: 5,
          maxWriteRequestUnits: 6,
        },
        contributorInsightsSpecification: {
          enabled: true,
          mode: "THROTTLED_KEYS",
        },
      }, {
        indexName: "by-two",
        keySchema: [{
          attributeName: "a",
          keyType: "HASH",
        }, {
          attributeName: "b",
          keyType: "HASH",
        }, {
          attributeName: "sort key",
          keyType: "RANGE",
        }],
        projection: {
          projectionType: "ALL",
        },
      }],
      localSecondaryIndexes: [{
        indexName: "local",
        keySchema: [{
          attributeName: "id",
          keyType: "HASH",
        }, {
          attributeName: "who",
          keyType: "RANGE",
        }],
        projection: {
          projectionType: "KEYS_ONLY",
        },
      }],
      streamSpecification: {
        streamViewType: "NEW_AND_OLD_IMAGES",
      },
      sseSpecification: {
        sseEnabled: true,
        sseType: "KMS",
        kmsMasterKeyId: "arn:aws:kms:us-east-1:000000000000:key/39c1cfa7-f092-3877-dbd5-2a7b688f6659",
      },
      tableClass: "STANDARD_INFREQUENT_ACCESS",
      deletionProtectionEnabled: true,
      tags: [{
        key: "a:b",
        value: "c+d",
      }, {
        key: "team",
        value: "shop",
      }],
      timeToLiveSpecification: {
        attributeName: "expires",
        enabled: true,
      },
      pointInTimeRecoverySpecification: {
        pointInTimeRecoveryEnabled: true,
        recoveryPeriodInDays: 7,
      },
      contributorInsightsSpecification: {
        enabled: true,
      },
      resourcePolicy: {
        policyDocument: {
          Statement: [{
            Action: "dynamodb:GetItem",
            Effect: "Allow",
            Principal: {
              AWS: "arn:aws:iam::123456789012:root",
            },
            Resource: "arn:aws:dynamodb:us-east-1:000000000000:table/orders.of-2026",
          }],
          Version: "2012-10-17",
        },
      },
    }).applyRemovalPolicy(RemovalPolicy.RETAIN);
  }
}
