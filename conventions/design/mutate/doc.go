// Package mutate makes mistakes in plans. A verification of a plan has to notice each Mutation of
// it: one that does not would not notice a mistake of the planner either.
package mutate
