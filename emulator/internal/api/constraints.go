package api

import "reflect"

// Constraint is what the model says of a type's values.
type Constraint struct {
	Min, Max int64        // of a string, list or map its length, of a number its value; Max 0: none
	Pattern  string       // the whole string must match
	Enum     []string     // in any order
	Integer  bool         // of a number: it has 32 bits
	Keys     reflect.Type // of a map: the type of its keys
}

// ConstraintOf returns the constraints on the values of a type, if there are any.
func ConstraintOf(t reflect.Type) (Constraint, bool) {
	c, ok := constraints[t]
	return c, ok
}

// NameOf returns the type of the names that values of a type are unless they are ARNs: the
// service applies the constraints on those, too (service facts 7.2). It is nil for other types.
func NameOf(t reflect.Type) reflect.Type {
	if t == reflect.TypeFor[TableArn]() {
		return reflect.TypeFor[TableName]()
	}
	return nil
}

// NamePattern is that of the names of tables and indexes.
const NamePattern = `[a-zA-Z0-9_.-]+`

// HiddenMembers are members that a type has in the service but not in its public
// model; messages print them. (Messages that users have reported show
// PutRequest(item={...}, workloadProfileName=null).)
func HiddenMembers(t reflect.Type) []string { return hiddenMembers[t] }

var hiddenMembers = map[reflect.Type][]string{
	reflect.TypeFor[PutRequest]():    {"workloadProfileName"},
	reflect.TypeFor[DeleteRequest](): {"workloadProfileName"},
}

// MemberMax is how long a member of a type may be although longer values of its type are
// legal elsewhere; 0 if there is no such bound. The service's model still bounds the keys of
// tables and local indexes, the public one no longer does since global indexes may have longer
// keys (service facts 6.8 and 6.10).
func MemberMax(t reflect.Type, member string) int64 { return memberMaxima[t][member] }

var memberMaxima = map[reflect.Type]map[string]int64{
	reflect.TypeFor[CreateTableInput]():    {"KeySchema": 2},
	reflect.TypeFor[LocalSecondaryIndex](): {"KeySchema": 2},
}

// Opaque reports whether messages print values of a type as Object.toString of Java does, by
// the name of its class and a hash (ack-api-quirks, DDB-TABLE-042, a probe of the service).
func Opaque(t reflect.Type) bool { return t == reflect.TypeFor[KeySchemaElement]() }

var constraints = map[reflect.Type]Constraint{
	reflect.TypeFor[KeySchemaAttributeName]():               {Min: 1, Max: 255},
	reflect.TypeFor[ScalarAttributeType]():                  {Enum: []string{"B", "N", "S"}},
	reflect.TypeFor[TableArn]():                             {Min: 1, Max: 1024},
	reflect.TypeFor[KeyType]():                              {Enum: []string{"HASH", "RANGE"}},
	reflect.TypeFor[KeySchema]():                            {Min: 1},
	reflect.TypeFor[IndexName]():                            {Min: 3, Max: 255, Pattern: NamePattern},
	reflect.TypeFor[ProjectionType]():                       {Enum: []string{"ALL", "INCLUDE", "KEYS_ONLY"}},
	reflect.TypeFor[NonKeyAttributeName]():                  {Min: 1, Max: 255},
	reflect.TypeFor[NonKeyAttributeNameList]():              {Min: 1, Max: 20},
	reflect.TypeFor[PositiveLongObject]():                   {Min: 1},
	reflect.TypeFor[BillingMode]():                          {Enum: []string{"PROVISIONED", "PAY_PER_REQUEST"}},
	reflect.TypeFor[StreamViewType]():                       {Enum: []string{"NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES", "KEYS_ONLY"}},
	reflect.TypeFor[SSEType]():                              {Enum: []string{"AES256", "KMS"}},
	reflect.TypeFor[TagKeyString]():                         {Min: 1, Max: 128},
	reflect.TypeFor[TagValueString]():                       {Min: 0, Max: 256},
	reflect.TypeFor[TableClass]():                           {Enum: []string{"STANDARD", "STANDARD_INFREQUENT_ACCESS"}},
	reflect.TypeFor[GlobalTableSettingsReplicationMode]():   {Enum: []string{"ENABLED", "DISABLED", "ENABLED_WITH_OVERRIDES"}},
	reflect.TypeFor[VectorAttributeName]():                  {Min: 1, Max: 255},
	reflect.TypeFor[AttributeName]():                        {Max: 65535},
	reflect.TypeFor[SearchSchemaElementType]():              {Enum: []string{"HASH", "INLINE_FILTER"}},
	reflect.TypeFor[SearchSchema]():                         {Min: 1},
	reflect.TypeFor[VectorDistanceFunction]():               {Enum: []string{"COSINE", "DOT_PRODUCT", "EUCLIDEAN"}},
	reflect.TypeFor[TableName]():                            {Min: 3, Max: 255, Pattern: NamePattern},
	reflect.TypeFor[TableStatus]():                          {Enum: []string{"CREATING", "UPDATING", "DELETING", "ACTIVE", "INACCESSIBLE_ENCRYPTION_CREDENTIALS", "ARCHIVING", "ARCHIVED", "REPLICATION_NOT_AUTHORIZED"}},
	reflect.TypeFor[NonNegativeLongObject]():                {Min: 0},
	reflect.TypeFor[TableId]():                              {Pattern: `[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`},
	reflect.TypeFor[IndexStatus]():                          {Enum: []string{"CREATING", "UPDATING", "DELETING", "ACTIVE"}},
	reflect.TypeFor[StreamArn]():                            {Min: 37, Max: 1024},
	reflect.TypeFor[ReplicaStatus]():                        {Enum: []string{"CREATING", "CREATION_FAILED", "UPDATING", "DELETING", "ACTIVE", "REGION_DISABLED", "INACCESSIBLE_ENCRYPTION_CREDENTIALS", "ARCHIVING", "ARCHIVED", "REPLICATION_NOT_AUTHORIZED"}},
	reflect.TypeFor[WitnessStatus]():                        {Enum: []string{"CREATING", "DELETING", "ACTIVE"}},
	reflect.TypeFor[BackupArn]():                            {Min: 37, Max: 1024},
	reflect.TypeFor[SSEStatus]():                            {Enum: []string{"ENABLING", "ENABLED", "DISABLING", "DISABLED", "UPDATING"}},
	reflect.TypeFor[MultiRegionConsistency]():               {Enum: []string{"EVENTUAL", "STRONG"}},
	reflect.TypeFor[ListTablesInputLimit]():                 {Min: 1, Max: 100, Integer: true},
	reflect.TypeFor[ReplicaGlobalSecondaryIndexList]():      {Min: 1},
	reflect.TypeFor[DisassociationMode]():                   {Enum: []string{"WAIT_FOR_REPLICATION"}},
	reflect.TypeFor[ReplicationGroupUpdateList]():           {Min: 1},
	reflect.TypeFor[GlobalTableWitnessGroupUpdateList]():    {Min: 1, Max: 1},
	reflect.TypeFor[ResourceArnString]():                    {Min: 1, Max: 1283},
	reflect.TypeFor[ComparisonOperator]():                   {Enum: []string{"IN", "NULL", "BETWEEN", "LT", "NOT_CONTAINS", "EQ", "GT", "NOT_NULL", "NE", "LE", "BEGINS_WITH", "GE", "CONTAINS"}},
	reflect.TypeFor[ReturnValue]():                          {Enum: []string{"ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"}},
	reflect.TypeFor[ReturnConsumedCapacity]():               {Enum: []string{"INDEXES", "TOTAL", "NONE"}},
	reflect.TypeFor[ReturnItemCollectionMetrics]():          {Enum: []string{"SIZE", "NONE"}},
	reflect.TypeFor[ConditionalOperator]():                  {Enum: []string{"OR", "AND"}},
	reflect.TypeFor[ReturnValuesOnConditionCheckFailure]():  {Enum: []string{"ALL_OLD", "NONE"}},
	reflect.TypeFor[AttributeNameList]():                    {Min: 1},
	reflect.TypeFor[AttributeAction]():                      {Enum: []string{"ADD", "PUT", "DELETE"}},
	reflect.TypeFor[KeyList]():                              {Min: 1, Max: 100},
	reflect.TypeFor[BatchGetRequestMap]():                   {Min: 1, Max: 100, Keys: reflect.TypeFor[TableArn]()},
	reflect.TypeFor[WriteRequests]():                        {Min: 1, Max: 25},
	reflect.TypeFor[BatchWriteItemRequestMap]():             {Min: 1, Max: 25, Keys: reflect.TypeFor[TableArn]()},
	reflect.TypeFor[Select]():                               {Enum: []string{"SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"}},
	reflect.TypeFor[PositiveIntegerObject]():                {Min: 1, Integer: true},
	reflect.TypeFor[ScanTotalSegments]():                    {Min: 1, Max: 1000000, Integer: true},
	reflect.TypeFor[ScanSegment]():                          {Min: 0, Max: 999999, Integer: true},
	reflect.TypeFor[TransactWriteItemList]():                {Min: 1, Max: 100},
	reflect.TypeFor[TransactGetItemList]():                  {Min: 1, Max: 100},
	reflect.TypeFor[ItemResponseList]():                     {Min: 1, Max: 100},
	reflect.TypeFor[ClientRequestToken]():                   {Min: 1, Max: 36},
	reflect.TypeFor[PartiQLStatement]():                     {Min: 1, Max: 8192},
	reflect.TypeFor[PreparedStatementParameters]():          {Min: 1},
	reflect.TypeFor[PartiQLNextToken]():                     {Min: 1, Max: 32768},
	reflect.TypeFor[PartiQLBatchRequest]():                  {Min: 1, Max: 25},
	reflect.TypeFor[BatchStatementErrorCodeEnum]():          {Enum: []string{"ConditionalCheckFailed", "ItemCollectionSizeLimitExceeded", "RequestLimitExceeded", "ValidationError", "ProvisionedThroughputExceeded", "TransactionConflict", "ThrottlingError", "InternalServerError", "ResourceNotFound", "AccessDenied", "DuplicateItem"}},
	reflect.TypeFor[ParameterizedStatements]():              {Min: 1, Max: 100},
	reflect.TypeFor[ShardId]():                              {Min: 28, Max: 65},
	reflect.TypeFor[ShardFilterType]():                      {Enum: []string{"CHILD_SHARDS"}},
	reflect.TypeFor[StreamStatus]():                         {Enum: []string{"ENABLING", "ENABLED", "DISABLING", "DISABLED"}},
	reflect.TypeFor[SequenceNumber]():                       {Min: 21, Max: 40},
	reflect.TypeFor[ShardIteratorType]():                    {Enum: []string{"TRIM_HORIZON", "LATEST", "AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER"}},
	reflect.TypeFor[ShardIterator]():                        {Min: 1, Max: 2048},
	reflect.TypeFor[OperationType]():                        {Enum: []string{"INSERT", "MODIFY", "REMOVE"}},
	reflect.TypeFor[TimeToLiveAttributeName]():              {Min: 1, Max: 255},
	reflect.TypeFor[TimeToLiveStatus]():                     {Enum: []string{"ENABLING", "DISABLING", "ENABLED", "DISABLED"}},
	reflect.TypeFor[ContinuousBackupsStatus]():              {Enum: []string{"ENABLED", "DISABLED"}},
	reflect.TypeFor[PointInTimeRecoveryStatus]():            {Enum: []string{"ENABLED", "DISABLED"}},
	reflect.TypeFor[RecoveryPeriodInDays]():                 {Min: 1, Max: 35, Integer: true},
	reflect.TypeFor[ContributorInsightsRule]():              {Pattern: `[A-Za-z0-9][A-Za-z0-9\-\_\.]{0,126}[A-Za-z0-9]`},
	reflect.TypeFor[ContributorInsightsStatus]():            {Enum: []string{"ENABLING", "ENABLED", "DISABLING", "DISABLED", "FAILED"}},
	reflect.TypeFor[ContributorInsightsMode]():              {Enum: []string{"ACCESSED_AND_THROTTLED_KEYS", "THROTTLED_KEYS"}},
	reflect.TypeFor[DestinationStatus]():                    {Enum: []string{"ENABLING", "ACTIVE", "DISABLING", "DISABLED", "ENABLE_FAILED", "UPDATING"}},
	reflect.TypeFor[ApproximateCreationDateTimePrecision](): {Enum: []string{"MILLISECOND", "MICROSECOND"}},
	reflect.TypeFor[PolicyRevisionId]():                     {Min: 1, Max: 255},
	reflect.TypeFor[BackupsInputLimit]():                    {Min: 1, Max: 100, Integer: true},
	reflect.TypeFor[BackupTypeFilter]():                     {Enum: []string{"USER", "SYSTEM", "AWS_BACKUP", "ALL"}},
	reflect.TypeFor[BackupName]():                           {Min: 3, Max: 255, Pattern: `[a-zA-Z0-9_.-]+`},
	reflect.TypeFor[BackupStatus]():                         {Enum: []string{"CREATING", "DELETED", "AVAILABLE"}},
	reflect.TypeFor[BackupType]():                           {Enum: []string{"USER", "SYSTEM", "AWS_BACKUP"}},
	reflect.TypeFor[BackupSizeBytes]():                      {Min: 0},
	reflect.TypeFor[ListContributorInsightsLimit]():         {Max: 100, Integer: true},
	reflect.TypeFor[ListExportsMaxLimit]():                  {Min: 1, Max: 25, Integer: true},
	reflect.TypeFor[ExportArn]():                            {Min: 37, Max: 1024},
	reflect.TypeFor[ExportStatus]():                         {Enum: []string{"IN_PROGRESS", "COMPLETED", "FAILED"}},
	reflect.TypeFor[ExportType]():                           {Enum: []string{"FULL_EXPORT", "INCREMENTAL_EXPORT"}},
	reflect.TypeFor[ListImportsMaxLimit]():                  {Min: 1, Max: 25, Integer: true},
	reflect.TypeFor[ImportNextToken]():                      {Min: 112, Max: 1024, Pattern: `([0-9a-f]{16})+`},
	reflect.TypeFor[ImportArn]():                            {Min: 37, Max: 1024},
	reflect.TypeFor[ImportStatus]():                         {Enum: []string{"IN_PROGRESS", "COMPLETED", "CANCELLING", "CANCELLED", "FAILED"}},
	reflect.TypeFor[S3BucketOwner]():                        {Pattern: `[0-9]{12}`},
	reflect.TypeFor[S3Bucket]():                             {Max: 255, Pattern: `^[a-z0-9A-Z]+[\.\-\w]*[a-z0-9A-Z]+$`},
	reflect.TypeFor[S3Prefix]():                             {Max: 1024},
	reflect.TypeFor[CloudWatchLogGroupArn]():                {Min: 1, Max: 1024},
	reflect.TypeFor[InputFormat]():                          {Enum: []string{"DYNAMODB_JSON", "ION", "CSV"}},
}
