#!/usr/bin/env node
import { run } from "../lib/run.js";

// Not exit(): what is still on its way to a pipe would be lost.
process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
