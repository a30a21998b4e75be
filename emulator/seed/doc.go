// Package seed loads tables and items into an emulator, and writes them out again.
//
// Seeds are the JSON that the AWS CLI prints and takes, models of NoSQL Workbench,
// or Go values (Of). A file holds one JSON value or several, one after the other;
// what each is shows in its members:
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
// Anything else is an error. The file's table is the one that the file is named
// after: users.json, users.jsonl, users.items.json or users.ttl.json, if it is
// users. All tables of all files are created first, then their TTL is set, and then
// items are written in the order of files and lines, as by requests, by whose rules
// they are checked. Errors name the file, the line, and the number of an item in its list.
//
// Of a description of a table, which says what is rather than what was asked for,
// the keys, indexes, capacity, stream, class and deletion protection are taken
// over; encryption, warm throughput, replicas and tags are not. Of a model, that
// are keys, global indexes, capacity and TableData; facets, formats of sample data
// and auto scaling are for its readers.
package seed
