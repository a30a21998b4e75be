// Package budget bounds what it costs to evaluate something that was read: a template, a design, a
// message. What is small as text can be large once names, variables and loops stand for other
// things, so the cost is counted before each part is made.
//
//   - Limits are the bytes, the steps and the depth that an evaluation may have.
//   - A Budget counts one evaluation against its Limits. It knows the names that the evaluation is
//     within, so that an error says where it went wrong, and a circle is found and named.
//   - ReadFile and ReadAll read an input with a limit of bytes.
//   - Excerpt and Brief shorten what an error quotes.
//   - An Error says which limit was reached, and where. It wraps the context's error if that ended
//     the evaluation.
package budget
