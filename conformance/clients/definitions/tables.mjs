// What each row does: it applies files to the server, and looks at the tables.
import { execFileSync } from "node:child_process";
import { DynamoDBClient, DescribeTableCommand, DescribeTimeToLiveCommand, ListTablesCommand,
  ListTagsOfResourceCommand } from "@aws-sdk/client-dynamodb";

/** A user of the server, whose tables are in a region. Each access key has its own. */
export class User {
  constructor(accessKeyId, region = "eu-west-1") {
    this.env = { ...process.env, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: "x", AWS_REGION: region };
    this.db = new DynamoDBClient({ region, credentials: { accessKeyId, secretAccessKey: "x" } });
  }

  /** Applies files, and returns what is said of what is left out. */
  apply(...args) {
    return execFileSync("sh", ["-c", '"$0" apply "$@" 2>&1 >/dev/null', process.env.KUGIRI_BINARY, ...args],
      { env: this.env, encoding: "utf8" });
  }

  async names() {
    return (await this.db.send(new ListTablesCommand({}))).TableNames;
  }

  /** Returns a table without what differs from one creation to the next. */
  async table(TableName) {
    const { Table } = await this.db.send(new DescribeTableCommand({ TableName }));
    const { TimeToLiveDescription } = await this.db.send(new DescribeTimeToLiveCommand({ TableName }));
    const { Tags } = await this.db.send(new ListTagsOfResourceCommand({ ResourceArn: Table.TableArn }));
    const { TableId, CreationDateTime, LatestStreamArn, LatestStreamLabel, ...rest } = JSON.parse(JSON.stringify(
      Table, (name, value) => (/DateTime$/.test(name) ? undefined : value)));
    Tags.sort((a, b) => (a.Key < b.Key ? -1 : 1)); // whose order says nothing
    return { ...rest, TimeToLiveDescription, Tags };
  }

  async tables() {
    return Promise.all((await this.names()).map((name) => this.table(name)));
  }
}

/** Prints the version of a tool, and a line for each step. */
export async function run(version, steps) {
  console.log(`version ${version}`);
  for (const [step, check] of Object.entries(steps)) {
    try {
      await check();
      console.log(`ok ${step}`);
    } catch (error) {
      console.log(`failed ${step}: ${error.message}`);
      process.exitCode = 1;
    }
  }
}
