#!/usr/bin/env node
import { run } from "../lib/run.js";

// exitCode instead of exit(): output to a pipe may still be pending.
process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
