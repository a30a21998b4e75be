// Package definition reads the tables that files for other tools define: templates of
// CloudFormation and SAM, what "cdk synth" writes, serverless.yml, and Terraform.
//
// What a file leaves to the cloud, such as a value of another stack, stays unresolved. A Note says
// so, with the line. What is unresolved loses itself, not the property around it. A table whose
// name or key is unresolved is left out.
//
// Files are read within limits: their size, their depth, the steps and the bytes of what they stand
// for. A reference that leads back to itself is an error that names the circle.
package definition
