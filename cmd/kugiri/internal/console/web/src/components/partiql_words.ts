// The words of DynamoDB's PartiQL. Views offer them without the script of the editors.

export const keywords =
  "select from where and or not in between is missing null true false insert into value update set remove delete returning all modified old new exists order by asc desc limit";

/** The functions of Kugiri's parser, which conformance/cmd/console puts in. */
declare const PARTIQL_FUNCTIONS: string;
export const functions = PARTIQL_FUNCTIONS;
