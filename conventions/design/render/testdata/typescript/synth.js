// Prints the properties of the tables that the last construct of each design makes, by design.
const { App, Stack } = require("aws-cdk-lib");

const all = {}; // the resources
for (const design of process.argv.slice(2)) {
  const app = new App({ outdir: `out/${design}/cdk` });
  const stack = new Stack(app, "Stack");
  const construct = Object.values(require(`./out/${design}/table.js`)).at(-1);
  new construct(stack, "Table");
  const { Resources } = app.synth().getStackByName("Stack").template;
  const tables = Object.values(Resources).filter(({ Type }) => Type.startsWith("AWS::DynamoDB::"));
  all[design] = tables;
}
console.log(JSON.stringify(all));
