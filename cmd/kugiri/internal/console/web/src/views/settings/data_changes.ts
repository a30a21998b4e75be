// The changes that are not of the table itself: recovery, backups, exports, destinations, tags, policies.

import type { TableDescription } from "../../api/dynamodb";
import { billingOf } from "../../api/schema";
import type { Backup, Recovery, Settings } from "../../api/settings";
import { t } from "../../i18n";
import { FieldFault, given, type Change, type Request } from "./change";

export function recovery(table: TableDescription, now: Recovery | undefined): Change {
  return {
    id: "recovery", replaces: true, title: t("settings.recovery"), values: { on: now?.on ? "1" : "" },
    fields: [{ name: "on", label: "settings.on", kind: "check" }],
    requests: (v) => [{ operation: "UpdateContinuousBackups", input: { TableName: table.TableName, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: v["on"] !== "" } } }],
  };
}

export function restoreToTime(table: TableDescription, { earliest, latest }: Recovery): Change {
  return {
    id: "restore", title: t("settings.restoreToTime"), values: { target: table.TableName + "-restored", at: String(Math.floor(latest)) },
    fields: [
      { name: "target", label: "settings.target", kind: "text" },
      { name: "at", label: "settings.at", kind: "moment", from: Math.ceil(earliest), to: Math.floor(latest) },
    ],
    requests: (v) => [{ operation: "RestoreTableToPointInTime", input: { SourceTableName: table.TableName, TargetTableName: v["target"], RestoreDateTime: Number(v["at"]) } }],
  };
}

export function newBackup(table: TableDescription): Change {
  return {
    id: "new-backup", title: t("settings.newBackup"), values: { name: table.TableName + "-backup" },
    fields: [{ name: "name", label: "settings.backupName", kind: "text" }],
    requests: (v) => [{ operation: "CreateBackup", input: { TableName: table.TableName, BackupName: v["name"] } }],
  };
}

export function restoreBackup(table: TableDescription, backup: Backup): Change {
  return {
    id: "restore " + backup.arn, title: t("settings.restoreOf", { name: backup.name }), values: { target: table.TableName + "-restored" },
    fields: [{ name: "target", label: "settings.target", kind: "text" }],
    requests: (v) => [{ operation: "RestoreTableFromBackup", input: { BackupArn: backup.arn, TargetTableName: v["target"] } }],
  };
}

export function removeBackup(backup: Backup): Change {
  return {
    id: "remove " + backup.arn, title: t("settings.removeBackup", { name: backup.name }), fields: [], values: {}, destroys: true,
    requests: () => [{ operation: "DeleteBackup", input: { BackupArn: backup.arn } }],
  };
}

export function newExport(table: TableDescription, now: Recovery | undefined): Change {
  return {
    id: "new-export", title: t("settings.newExport"),
    values: { bucket: "", prefix: "", format: "DYNAMODB_JSON", past: "", at: String(Math.floor(now?.latest ?? 0)) },
    fields: [
      { name: "bucket", label: "settings.bucket", kind: "text" },
      { name: "prefix", label: "settings.prefix", kind: "text", hint: "create.optional" },
      { name: "format", label: "export.format", kind: "select", options: ["DYNAMODB_JSON", "ION"] },
      { name: "past", label: "settings.past", kind: "check", when: () => now?.on ?? false },
      { name: "at", label: "settings.at", kind: "moment", from: Math.ceil(now?.earliest ?? 0), to: Math.floor(now?.latest ?? 0), when: (v) => v["past"] !== "" },
    ],
    requests: (v) => {
      if (!v["bucket"]) throw new FieldFault("bucket", t("settings.nameBucket"));
      return [{ operation: "ExportTableToPointInTime", input: { TableArn: table.TableArn, S3Bucket: v["bucket"], ...given("S3Prefix", v["prefix"]), ExportFormat: v["format"], ...(v["past"] ? { ExportTime: Number(v["at"]) } : {}) } }];
    },
  };
}

/** An import from S3 into a new table that has the keys and indexes of this one. */
export function newImport(table: TableDescription): Change {
  return {
    id: "new-import", title: t("settings.newImport"), values: { target: table.TableName + "-imported", bucket: "", prefix: "", format: "DYNAMODB_JSON", compression: "NONE" },
    fields: [
      { name: "target", label: "settings.target", kind: "text" },
      { name: "bucket", label: "settings.bucket", kind: "text" },
      { name: "prefix", label: "settings.prefix", kind: "text", hint: "create.optional" },
      { name: "format", label: "export.format", kind: "select", options: ["DYNAMODB_JSON", "ION", "CSV"] },
      { name: "compression", label: "settings.compression", kind: "select", options: ["NONE", "GZIP", "ZSTD"] },
    ],
    requests: (v) => {
      if (!v["bucket"]) throw new FieldFault("bucket", t("settings.nameBucket"));
      return [{
        operation: "ImportTable",
        input: {
          S3BucketSource: { S3Bucket: v["bucket"], ...given("S3KeyPrefix", v["prefix"]) }, InputFormat: v["format"], InputCompressionType: v["compression"],
          TableCreationParameters: { TableName: v["target"], ...likeness(table) },
        },
      }];
    },
  };
}

// likeness returns the members of a CreateTable that makes another table like one.
function likeness(table: TableDescription): object {
  const provisioned = billingOf(table) === "PROVISIONED";
  const units = (of: { ReadCapacityUnits: number; WriteCapacityUnits: number } | undefined) =>
    provisioned && of ? { ProvisionedThroughput: { ReadCapacityUnits: of.ReadCapacityUnits, WriteCapacityUnits: of.WriteCapacityUnits } } : {};
  const indexes = table.GlobalSecondaryIndexes ?? [];
  return {
    AttributeDefinitions: table.AttributeDefinitions, KeySchema: table.KeySchema, BillingMode: billingOf(table), ...units(table.ProvisionedThroughput),
    ...(indexes.length > 0 ? { GlobalSecondaryIndexes: indexes.map((i) => ({ IndexName: i.IndexName, KeySchema: i.KeySchema, Projection: i.Projection, ...units(i.ProvisionedThroughput) })) } : {}),
  };
}

export function newDestination(table: TableDescription): Change {
  return {
    id: "new-destination", title: t("settings.newDestination"), values: { arn: "", precision: "" },
    fields: [
      { name: "arn", label: "settings.streamArn", kind: "text" },
      { name: "precision", label: "settings.precision", kind: "select", options: ["", "MILLISECOND", "MICROSECOND"] },
    ],
    requests: (v) => {
      if (!v["arn"]) throw new FieldFault("arn", t("settings.nameStream"));
      return [{ operation: "EnableKinesisStreamingDestination", input: { TableName: table.TableName, StreamArn: v["arn"], ...(v["precision"] ? { EnableKinesisStreamingConfiguration: { ApproximateCreationDateTimePrecision: v["precision"] } } : {}) } }];
    },
  };
}

export function removeDestination(table: TableDescription, arn: string): Change {
  return {
    id: "remove " + arn, title: t("settings.removeDestination", { stream: arn.slice(arn.lastIndexOf("/") + 1) }), fields: [], values: {}, destroys: true,
    requests: () => [{ operation: "DisableKinesisStreamingDestination", input: { TableName: table.TableName, StreamArn: arn } }],
  };
}

/** All tags, a line each: key=value. */
export function tags(table: TableDescription, now: Settings["tags"]): Change {
  return {
    id: "tags", title: t("settings.tags"), values: { tags: JSON.stringify(Object.fromEntries(now.map((one) => [one.Key, one.Value])), null, 2) },
    fields: [{ name: "tags", label: "settings.tagsHint", kind: "json" }],
    requests: (v) => {
      const wanted = JSON.parse(v["tags"] || "{}") as { [key: string]: unknown };
      const gone = now.map((one) => one.Key).filter((key) => !Object.hasOwn(wanted, key));
      const come = Object.entries(wanted).filter(([key, value]) => now.find((one) => one.Key === key)?.Value !== value).map(([Key, Value]) => ({ Key, Value: String(Value) }));
      const requests: Request[] = [];
      if (gone.length > 0) requests.push({ operation: "UntagResource", input: { ResourceArn: table.TableArn, TagKeys: gone } });
      if (come.length > 0) requests.push({ operation: "TagResource", input: { ResourceArn: table.TableArn, Tags: come } });
      if (requests.length === 0) throw new Error(t("settings.same"));
      return requests;
    },
  };
}

export function resourcePolicy(table: TableDescription, now: string): Change {
  const example = { Version: "2012-10-17", Statement: [{ Effect: "Allow", Principal: { AWS: "000000000000" }, Action: "dynamodb:GetItem", Resource: table.TableArn }] };
  return {
    id: "policy", title: t("settings.resourcePolicy"), values: { policy: now ? JSON.stringify(JSON.parse(now), null, 2) : JSON.stringify(example, null, 2) },
    fields: [{ name: "policy", label: "settings.resourcePolicy", kind: "json" }],
    requests: (v) => [{ operation: "PutResourcePolicy", input: { ResourceArn: table.TableArn, Policy: JSON.stringify(JSON.parse(v["policy"] ?? "")) } }],
  };
}

export function removePolicy(table: TableDescription): Change {
  return {
    id: "remove-policy", title: t("settings.removePolicy"), fields: [], values: {}, destroys: true,
    requests: () => [{ operation: "DeleteResourcePolicy", input: { ResourceArn: table.TableArn } }],
  };
}
