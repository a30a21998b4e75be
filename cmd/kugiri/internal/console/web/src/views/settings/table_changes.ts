// The changes of a table that UpdateTable and its relatives make: capacity, indexes, streams and so on.

import type { IndexDescription, TableDescription } from "../../api/dynamodb";
import { billingOf } from "../../api/schema";
import type { Settings } from "../../api/settings";
import { t } from "../../i18n";
import { FieldFault, given, whole, type Change, type Request, type Values } from "./change";

export const update = (table: TableDescription, input: object): Request[] => [{ operation: "UpdateTable", input: { TableName: table.TableName, ...input } }];

/** The number of units that a field has. It throws an error for what is none. */
function units(v: Values, field: string): number {
  const n = whole(v[field]);
  if (!(n > 0)) throw new FieldFault(field, t("query.notCount", { text: v[field] ?? "" }));
  return n;
}

export const throughputOf = (v: Values) => ({ ReadCapacityUnits: units(v, "read"), WriteCapacityUnits: units(v, "write") });

export function billing(table: TableDescription): Change {
  const now = table.ProvisionedThroughput;
  const indexes = table.GlobalSecondaryIndexes ?? [];
  const provisioned = (v: Values) => v["mode"] === "PROVISIONED";
  return {
    id: "billing", replaces: true, title: t("settings.billing"),
    values: { mode: billingOf(table), read: String(now?.ReadCapacityUnits || 5), write: String(now?.WriteCapacityUnits || 5), maxRead: limit(table.OnDemandThroughput?.MaxReadRequestUnits), maxWrite: limit(table.OnDemandThroughput?.MaxWriteRequestUnits) },
    fields: [
      { name: "mode", label: "create.billing", kind: "select", options: ["PAY_PER_REQUEST", "PROVISIONED"] },
      { name: "read", label: "create.read", kind: "number", when: provisioned },
      { name: "write", label: "create.write", kind: "number", when: provisioned },
      { name: "maxRead", label: "settings.maxRead", kind: "number", hint: "settings.noMaximum", when: (v) => !provisioned(v) },
      { name: "maxWrite", label: "settings.maxWrite", kind: "number", hint: "settings.noMaximum", when: (v) => !provisioned(v) },
    ],
    requests: (v) => {
      if (!provisioned(v)) {
        const maximum = v["maxRead"] || v["maxWrite"] || table.OnDemandThroughput;
        return update(table, { BillingMode: "PAY_PER_REQUEST", ...(maximum ? { OnDemandThroughput: { MaxReadRequestUnits: v["maxRead"] ? units(v, "maxRead") : -1, MaxWriteRequestUnits: v["maxWrite"] ? units(v, "maxWrite") : -1 } } : {}) });
      }
      const ProvisionedThroughput = throughputOf(v);
      const fresh = billingOf(table) !== "PROVISIONED"; // then indexes need throughput, too
      return update(table, {
        BillingMode: "PROVISIONED", ProvisionedThroughput,
        ...(fresh && indexes.length > 0 ? { GlobalSecondaryIndexUpdates: indexes.map((i) => ({ Update: { IndexName: i.IndexName, ProvisionedThroughput } })) } : {}),
      });
    },
  };
}

const limit = (n: number | undefined) => (n && n > 0 ? String(n) : "");

export function warmThroughput(table: TableDescription): Change {
  const now = table.WarmThroughput;
  return {
    id: "warm", replaces: true, title: t("settings.warm"),
    values: { read: String(now?.ReadUnitsPerSecond ?? 12000), write: String(now?.WriteUnitsPerSecond ?? 4000) },
    fields: [
      { name: "read", label: "settings.readPerSecond", kind: "number" },
      { name: "write", label: "settings.writePerSecond", kind: "number" },
    ],
    requests: (v) => update(table, { WarmThroughput: { ReadUnitsPerSecond: units(v, "read"), WriteUnitsPerSecond: units(v, "write") } }),
  };
}

export function timeToLive(table: TableDescription, settings: Settings): Change {
  const attribute = settings.ttl?.attribute ?? "";
  return {
    id: "ttl", replaces: true, title: t("settings.ttl"), values: { on: attribute ? "1" : "", attribute },
    fields: [
      { name: "on", label: "settings.on", kind: "check" },
      { name: "attribute", label: "create.ttl", kind: "text" },
    ],
    requests: (v) => {
      if (!v["attribute"]) throw new FieldFault("attribute", t("settings.nameAttribute"));
      if (!v["on"] && !attribute) throw new Error(t("settings.off"));
      return [{ operation: "UpdateTimeToLive", input: { TableName: table.TableName, TimeToLiveSpecification: { Enabled: v["on"] !== "", AttributeName: v["attribute"] } } }];
    },
  };
}

const views = ["", "NEW_AND_OLD_IMAGES", "NEW_IMAGE", "OLD_IMAGE", "KEYS_ONLY"];

export function stream(table: TableDescription): Change {
  return {
    id: "stream", replaces: true, title: t("settings.stream"), values: { view: table.StreamSpecification?.StreamViewType ?? "" },
    fields: [{ name: "view", label: "stream.view", kind: "select", options: views }],
    requests: (v) => update(table, { StreamSpecification: v["view"] ? { StreamEnabled: true, StreamViewType: v["view"] } : { StreamEnabled: false } }),
  };
}

export function protection(table: TableDescription): Change {
  return {
    id: "protection", replaces: true, title: t("create.protection"), values: { on: table.DeletionProtectionEnabled ? "1" : "" },
    fields: [{ name: "on", label: "settings.on", kind: "check" }],
    requests: (v) => update(table, { DeletionProtectionEnabled: v["on"] !== "" }),
  };
}

export function tableClass(table: TableDescription): Change {
  return {
    id: "class", replaces: true, title: t("settings.class"), values: { class: table.TableClassSummary?.TableClass ?? "STANDARD" },
    fields: [{ name: "class", label: "settings.class", kind: "select", options: ["STANDARD", "STANDARD_INFREQUENT_ACCESS"] }],
    requests: (v) => update(table, { TableClass: v["class"] }),
  };
}

export const projectionOf = (v: Values) => ({ ProjectionType: v["projection"], ...(v["projection"] === "INCLUDE" ? { NonKeyAttributes: namesOf(v["attributes"]) } : {}) });

const namesOf = (text = "") => text.split(",").map((one) => one.trim()).filter(Boolean);

export function newVectorIndex(table: TableDescription): Change {
  return {
    id: "new-vector-index", title: t("settings.newVectorIndex"),
    values: { name: "", attribute: "", dimensions: "", distance: "COSINE", partition: "", filters: "", projection: "ALL", attributes: "" },
    fields: [
      { name: "name", label: "create.indexName", kind: "text" },
      { name: "attribute", label: "settings.vectorAttribute", kind: "text" },
      { name: "dimensions", label: "settings.dimensions", kind: "number" },
      { name: "distance", label: "settings.distance", kind: "select", options: ["COSINE", "EUCLIDEAN", "DOT_PRODUCT"] },
      { name: "partition", label: "settings.searchPartition", kind: "text", hint: "create.optional" },
      { name: "filters", label: "settings.inlineFilters", kind: "text", hint: "settings.commas" },
      { name: "projection", label: "create.projection", kind: "select", options: ["ALL", "KEYS_ONLY", "INCLUDE"] },
      { name: "attributes", label: "settings.included", kind: "text", when: (v) => v["projection"] === "INCLUDE" },
    ],
    requests: (v) => {
      const missing = ["name", "attribute"].find((name) => !v[name]);
      if (missing) throw new FieldFault(missing, t("settings.nameVectorIndex"));
      const filters = namesOf(v["filters"]);
      const searched = [...(v["partition"] ? [v["partition"]] : []), ...filters];
      const known = new Map(table.AttributeDefinitions.map((a) => [a.AttributeName, a.AttributeType]));
      const SearchSchema = [
        ...(v["partition"] ? [{ AttributeName: v["partition"], SearchSchemaElementType: "HASH" }] : []),
        ...filters.map((AttributeName) => ({ AttributeName, SearchSchemaElementType: "INLINE_FILTER" })),
      ];
      return update(table, {
        ...(searched.length > 0 ? { AttributeDefinitions: searched.map((AttributeName) => ({ AttributeName, AttributeType: known.get(AttributeName) ?? "S" })) } : {}),
        VectorIndexUpdates: [{
          Create: {
            IndexName: v["name"], VectorAttribute: { AttributeName: v["attribute"] }, Dimensions: units(v, "dimensions"), DistanceFunction: v["distance"], Projection: projectionOf(v),
            ...(SearchSchema.length > 0 ? { SearchSchema } : {}),
          },
        }],
      });
    },
  };
}

export function removeIndex(table: TableDescription, index: IndexDescription): Change {
  const vector = (table.VectorIndexes ?? []).some((one) => one.IndexName === index.IndexName);
  return {
    id: "remove " + index.IndexName, title: t("create.removeIndex", { index: index.IndexName }), fields: [], values: {}, destroys: true,
    requests: () => update(table, { [vector ? "VectorIndexUpdates" : "GlobalSecondaryIndexUpdates"]: [{ Delete: { IndexName: index.IndexName } }] }),
  };
}

export function indexThroughput(table: TableDescription, index: IndexDescription): Change {
  const now = index.ProvisionedThroughput;
  return {
    id: "throughput " + index.IndexName, replaces: true, title: t("settings.throughputOf", { index: index.IndexName }),
    values: { read: String(now?.ReadCapacityUnits ?? 5), write: String(now?.WriteCapacityUnits ?? 5) },
    fields: [{ name: "read", label: "create.read", kind: "number" }, { name: "write", label: "create.write", kind: "number" }],
    requests: (v) => update(table, { GlobalSecondaryIndexUpdates: [{ Update: { IndexName: index.IndexName, ProvisionedThroughput: throughputOf(v) } }] }),
  };
}

export function newReplica(table: TableDescription): Change {
  return {
    id: "new-replica", title: t("settings.newReplica"), values: { region: "" },
    fields: [{ name: "region", label: "identity.region", kind: "text" }],
    requests: (v) => {
      if (!v["region"]) throw new FieldFault("region", t("settings.nameRegion"));
      return update(table, { ReplicaUpdates: [{ Create: { RegionName: v["region"] } }] });
    },
  };
}

export function removeReplica(table: TableDescription, region: string): Change {
  return {
    id: "remove-replica " + region, title: t("settings.removeReplica", { region }), fields: [], values: {}, destroys: true,
    requests: () => update(table, { ReplicaUpdates: [{ Delete: { RegionName: region } }] }),
  };
}

export function insights(table: TableDescription, index: string, settings: Settings): Change {
  const on = (settings.insights[index] ?? "").startsWith("ENABL");
  return {
    id: "insights " + index, replaces: !on, title: index ? t("settings.insightsOf", { index }) : t("settings.insights"), values: { on: on ? "1" : "", mode: "ACCESSED_AND_THROTTLED_KEYS" },
    fields: [
      { name: "on", label: "settings.on", kind: "check" },
      { name: "mode", label: "settings.mode", kind: "select", options: ["ACCESSED_AND_THROTTLED_KEYS", "THROTTLED_KEYS"], when: (v) => v["on"] !== "" },
    ],
    requests: (v) => [{
      operation: "UpdateContributorInsights",
      input: { TableName: table.TableName, ...given("IndexName", index), ContributorInsightsAction: v["on"] ? "ENABLE" : "DISABLE", ...(v["on"] ? { ContributorInsightsMode: v["mode"] } : {}) },
    }],
  };
}
