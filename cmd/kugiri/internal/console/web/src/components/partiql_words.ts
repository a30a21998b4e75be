// The words of DynamoDB's PartiQL. Views offer them without the script of the editors.

export const keywords =
  "select from where and or not in between is missing null true false insert into value update set remove delete returning all modified old new exists order by asc desc limit";

export const functions =
  "attribute_exists attribute_not_exists attribute_type begins_with contains size list_append set_add set_delete";
