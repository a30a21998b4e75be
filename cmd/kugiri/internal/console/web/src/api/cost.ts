// What a Query or Scan read and consumed: as its answers say, or as a plan of Kugiri says before.

import type { Page } from "./dynamodb";
import type { Plan } from "./plan";

export interface Cost {
  evaluated: number;
  returned: number;
  units: number;
  tableUnits: number; // of units, those of the table itself
  pages: number;
  more: boolean; // there is more to read
}

export const noCost: Cost = { evaluated: 0, returned: 0, units: 0, tableUnits: 0, pages: 0, more: false };

export function costOf(page: Page): Cost {
  return {
    evaluated: page.ScannedCount,
    returned: page.Count,
    units: page.ConsumedCapacity?.CapacityUnits ?? 0,
    tableUnits: page.ConsumedCapacity?.Table?.CapacityUnits ?? 0,
    pages: 1,
    more: page.LastEvaluatedKey !== undefined,
  };
}

export function planCost(plan: Plan): Cost {
  const tableUnits = plan.capacity.filter((c) => !c.index).reduce((sum, c) => sum + c.read, 0);
  return { evaluated: plan.evaluated, returned: plan.returned, units: plan.readUnits, tableUnits, pages: 1, more: plan.more };
}

/** The sum of two costs, of which the second came later. */
export function addCost(a: Cost, b: Cost): Cost {
  return {
    evaluated: a.evaluated + b.evaluated,
    returned: a.returned + b.returned,
    units: a.units + b.units,
    tableUnits: a.tableUnits + b.tableUnits,
    pages: a.pages + b.pages,
    more: b.more,
  };
}
