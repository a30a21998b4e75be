// Package workbench has the models of NoSQL Workbench in its export format, and the one reader of
// them. All names are taken from the sample models that come with it ("Data modeler", Developer
// Guide).
//
// The reader knows the members of a model, and neither texts nor places: whoever reads a model has
// parsed its document, with limits and errors of its own, and gives the reader Values of it.
package workbench
