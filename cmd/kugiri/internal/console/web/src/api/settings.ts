// The settings of a table that DescribeTable does not tell, and what was made of its data.

import { call, type TableDescription } from "./dynamodb";

export interface Recovery {
  on: boolean;
  earliest: number; // seconds since 1970
  latest: number;
}

export interface Backup {
  arn: string;
  name: string;
  status: string;
  created: number;
  bytes: number;
}

/** An export to S3, an import from it, or a bulk put. */
export interface Transfer {
  kind: "export" | "import";
  arn: string;
  status: string;
  items: number | undefined;
  where: string;
}

export interface Settings {
  ttl: { attribute: string; status: string } | undefined;
  recovery: Recovery | undefined;
  backups: Backup[];
  transfers: Transfer[];
  kinesis: { arn: string; status: string }[];
  tags: { Key: string; Value: string }[];
  policy: string; // "" for none
  insights: { [index: string]: string }; // the status by index, "" for the table
}

/** Reads the settings of a table. What a caller may not read, or an endpoint does not have, is left out. */
export async function settingsOf(table: TableDescription, signal: AbortSignal): Promise<Settings> {
  const { TableName, TableArn: ResourceArn } = table;
  const ask = <T>(operation: string, input: object) => call<T>(operation, input, { signal }).catch((e: unknown) => {
    signal.throwIfAborted();
    void e;
    return undefined;
  });
  const [ttl, recovery, backups, exports, imports, kinesis, tags, policy, insights] = await Promise.all([
    ask<{ TimeToLiveDescription?: { AttributeName?: string; TimeToLiveStatus?: string } }>("DescribeTimeToLive", { TableName }),
    ask<{ ContinuousBackupsDescription?: { PointInTimeRecoveryDescription?: Described } }>("DescribeContinuousBackups", { TableName }),
    ask<{ BackupSummaries?: Described[] }>("ListBackups", { TableName }),
    ask<{ ExportSummaries?: Described[] }>("ListExports", { TableArn: ResourceArn }),
    ask<{ ImportSummaryList?: Described[] }>("ListImports", { TableArn: ResourceArn }),
    ask<{ KinesisDataStreamDestinations?: Described[] }>("DescribeKinesisStreamingDestination", { TableName }),
    ask<{ Tags?: Settings["tags"] }>("ListTagsOfResource", { ResourceArn }),
    ask<{ Policy?: string }>("GetResourcePolicy", { ResourceArn }),
    ask<{ ContributorInsightsSummaries?: Described[] }>("ListContributorInsights", { TableName }),
  ]);
  const time = ttl?.TimeToLiveDescription;
  return {
    ttl: time && { attribute: time.AttributeName ?? "", status: time.TimeToLiveStatus ?? "" },
    recovery: recoveryOf(recovery?.ContinuousBackupsDescription?.PointInTimeRecoveryDescription),
    backups: (backups?.BackupSummaries ?? []).map(backupOf),
    transfers: await transfersOf(exports?.ExportSummaries ?? [], imports?.ImportSummaryList ?? [], ask),
    kinesis: (kinesis?.KinesisDataStreamDestinations ?? []).map((d) => ({ arn: text(d["StreamArn"]), status: text(d["DestinationStatus"]) })),
    tags: tags?.Tags ?? [],
    policy: policy?.Policy ?? "",
    insights: Object.fromEntries((insights?.ContributorInsightsSummaries ?? []).map((d) => [text(d["IndexName"]), text(d["ContributorInsightsStatus"])])),
  };
}

type Described = { [member: string]: unknown };

const text = (value: unknown) => (typeof value === "string" ? value : "");
const number = (value: unknown) => (typeof value === "number" ? value : 0);

function recoveryOf(d: Described | undefined): Recovery | undefined {
  if (!d) return undefined;
  return { on: d["PointInTimeRecoveryStatus"] === "ENABLED", earliest: number(d["EarliestRestorableDateTime"]), latest: number(d["LatestRestorableDateTime"]) };
}

function backupOf(d: Described): Backup {
  return { arn: text(d["BackupArn"]), name: text(d["BackupName"]), status: text(d["BackupStatus"]), created: number(d["BackupCreationDateTime"]), bytes: number(d["BackupSizeBytes"]) };
}

const some = 20; // of the latest exports and imports

// transfersOf describes the latest exports and imports, whose lists say little.
async function transfersOf(exports: Described[], imports: Described[], ask: <T>(operation: string, input: object) => Promise<T | undefined>): Promise<Transfer[]> {
  const out = await Promise.all([
    ...exports.slice(0, some).map(async (d): Promise<Transfer> => {
      const one = (await ask<{ ExportDescription?: Described }>("DescribeExport", { ExportArn: d["ExportArn"] }))?.ExportDescription ?? d;
      return { kind: "export", arn: text(d["ExportArn"]), status: text(one["ExportStatus"]), items: one["ItemCount"] as number | undefined, where: place(one["S3Bucket"], one["S3Prefix"]) };
    }),
    ...imports.slice(0, some).map(async (d): Promise<Transfer> => {
      const one = (await ask<{ ImportTableDescription?: Described }>("DescribeImport", { ImportArn: d["ImportArn"] }))?.ImportTableDescription ?? d;
      const from = (one["S3BucketSource"] ?? {}) as Described;
      return { kind: "import", arn: text(d["ImportArn"]), status: text(one["ImportStatus"]), items: one["ImportedItemCount"] as number | undefined, where: place(from["S3Bucket"], from["S3KeyPrefix"]) };
    }),
  ]);
  return out;
}

const place = (bucket: unknown, prefix: unknown) => `s3://${text(bucket)}/${text(prefix)}`;
