// Forks, snapshots, faults and what differs between states, as the admin API has them.

import type { Item } from "./values";

export interface Fork {
  accessKey: string;
  from?: string;
  ofFork?: boolean; // from had a fork then
  snapshot?: string;
  clock?: string; // "held", or the time that it was to show
  policy?: "off"; // without that of its origin
}

export interface Snapshot {
  name: string;
  time: string;
}

/** What an access key sees: now, or in a snapshot. */
export interface State {
  accessKey: string;
  snapshot?: string;
}

export interface TableComparison {
  region: string;
  table: string;
  before: boolean; // the state has the table
  after: boolean;
  added: number;
  changed: number;
  removed: number;
}

export interface ItemComparison {
  key: Item;
  before?: Item;
  after?: Item;
}

export interface Expiration {
  accessKey?: string;
  region?: string;
  table: string;
  attribute: string;
  time: string;
  key: Item;
}

export type Matcher = { [member: string]: unknown };

export interface Fault {
  when?: Matcher;
  do: string | { [effect: string]: unknown };
  seed?: number;
  mustHit?: boolean;
}

export interface InjectedFault {
  id: string;
  hits: number;
  places?: { operation?: string; table: string; hits: number }[];
  missed?: boolean;
  fault: Fault;
}
