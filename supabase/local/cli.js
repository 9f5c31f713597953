// Plain JavaScript, so that an old Node can print the version error.
const wanted = 24;

if (Number(process.versions.node.split(".")[0]) < wanted) {
  console.error(
    `Tidings needs Node ${wanted} or newer, and this is ${process.version}; "npm start" uses the Node that "npm ci" installed here.`,
  );
  process.exit(1);
}
const { runCommand } = await import("./commands/command-line.ts");
await runCommand(process.argv.slice(2));
