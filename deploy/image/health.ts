import process from "node:process";

/** HEALTHCHECK: exits with 0 if every part is up. */
const answer = await fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).catch(() => null);
process.exit(answer?.ok ? 0 : 1);
