// The paths of attributes that a table's items have, for completion: those of its keys, of a few
// items of it, and of items that were read.

import { useEffect, useMemo, useState } from "preact/hooks";
import { call, type Page, type TableDescription } from "../api/dynamodb";
import { pathsOf, writePath } from "../api/paths";
import type { Item, TypeName } from "../api/values";
import { identity } from "./identity";

const some = 25; // items

/** A few items of a table: none if they cannot be read. */
export async function sampleOf(table: string, count = some): Promise<Item[]> {
  try {
    return (await call<Page>("Scan", { TableName: table, Limit: count })).Items;
  } catch {
    return []; // the caller may not have the permission
  }
}

export function usePaths(table: TableDescription, read: Item[]): Map<string, TypeName> {
  const [sample, setSample] = useState<Item[]>([]);
  useEffect(() => {
    let gone = false;
    void sampleOf(table.TableName).then((items) => !gone && setSample(items));
    return () => {
      gone = true;
    };
  }, [table.TableName, identity.value]);
  return useMemo(() => {
    const keys = table.AttributeDefinitions.map((a): [string, TypeName] => [writePath([a.AttributeName]), a.AttributeType as TypeName]);
    return pathsOf([...sample, ...read.slice(0, some)], new Map(keys));
  }, [table, sample, read]);
}
