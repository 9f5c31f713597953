// Plain JavaScript that even an old Node can read, so that it can say what is wrong: the rest needs Node 24.
const wanted = 24;

if (Number(process.versions.node.split(".")[0]) < wanted) {
  console.error(
    `Tidings needs Node ${wanted} or newer, and this is ${process.version}; "npm start" uses the Node that "npm ci" installed here.`,
  );
  process.exit(1);
}
const { runCommand } = await import("./commands/command-line.ts");
await runCommand(process.argv.slice(2));
