// Package definition reads the tables that files for other tools define: templates of
// CloudFormation and SAM, what "cdk synth" writes, serverless.yml, and Terraform.
//
// What a file leaves to the cloud, such as a value of another stack, stays unresolved. A Note says
// so. A table whose name or key is unresolved is left out.
package definition
