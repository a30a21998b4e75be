// Package seed loads tables and items into an emulator, and writes them to files.
//
// Seeds are the JSON that the AWS CLI reads and prints, models of NoSQL Workbench, or Go values
// (Of). A file holds one or more JSON values, one after the other. The members of a value show what
// it is:
//
//	{"Table": {...}}  {"TableDescription": {...}}             aws dynamodb describe-table, create-table
//	{"TableName": ..., "KeySchema": ..., ...}                 create-table --cli-input-json
//	{"TableName": ..., "TimeToLiveSpecification": ...}        update-time-to-live --cli-input-json
//	{"TimeToLiveDescription": {...}}                          describe-time-to-live, of the file's table
//	{"Items": [...], "Count": ...}                            scan and query, of the file's table unless ConsumedCapacity names one
//	{"Item": {...}}                                           get-item, or a line of an export to S3, of the file's table
//	{"pk": {"S": ...}, ...}                                   put-item --item, of the file's table
//	{"TableName": ..., "Item": {...}, ...}                    put-item --cli-input-json
//	{"users": [{"PutRequest": ...}, ...], ...}                batch-write-item --request-items
//	{"RequestItems": {...}}                                   batch-write-item --cli-input-json
//	{"ModelName": ..., "DataModel": [...], ...}               an exported model of NoSQL Workbench
//
// Anything else is an error. The name of a file gives the file's table: users.json, users.jsonl,
// users.items.json and users.ttl.json are files of the table users. Load first creates all tables
// of all files, then it sets their TTL, and then it writes the items in the order of files and
// lines. It sends requests for these, so the rules for requests apply. Errors name the file, the
// line, and the number of an item in its list.
//
// A description of a table holds more than a CreateTable request. Load keeps the keys, indexes,
// capacity, stream, class and deletion protection, and ignores encryption, warm throughput,
// replicas and tags. Of a model it keeps keys, global indexes, capacity and TableData, and ignores
// facets, formats of sample data and auto scaling. Members that it does not know are Warnings.
package seed
