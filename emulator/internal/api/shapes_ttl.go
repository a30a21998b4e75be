package api

type TimeToLiveAttributeName string

type TimeToLiveStatus string

type TimeToLiveSpecification struct {
	Enabled       *bool                    `wire:"Enabled,required"`
	AttributeName *TimeToLiveAttributeName `wire:"AttributeName,required"`
}

// UpdateTimeToLive

type UpdateTimeToLiveInput struct {
	TableName               *TableArn                `wire:"TableName,required"`
	TimeToLiveSpecification *TimeToLiveSpecification `wire:"TimeToLiveSpecification,required"`
}

type UpdateTimeToLiveOutput struct {
	TimeToLiveSpecification *TimeToLiveSpecification `wire:"TimeToLiveSpecification"`
}

// DescribeTimeToLive

type DescribeTimeToLiveInput struct {
	TableName *TableArn `wire:"TableName,required"`
}

type DescribeTimeToLiveOutput struct {
	TimeToLiveDescription *TimeToLiveDescription `wire:"TimeToLiveDescription"`
}

type TimeToLiveDescription struct {
	TimeToLiveStatus *TimeToLiveStatus        `wire:"TimeToLiveStatus"`
	AttributeName    *TimeToLiveAttributeName `wire:"AttributeName"`
}
