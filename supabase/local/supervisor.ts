import { parentOf } from "./engine/lifecycle.ts";
import { tell, withoutDetail } from "./logs.ts";
import { moveFolder } from "./service/move-folder.ts";
import { readSettings } from "./settings.ts";
import { Stack } from "./stack.ts";
import { StartError } from "./start-error.ts";
import { welcome } from "./welcome.ts";

async function supervise(): Promise<void> {
  const stack = new Stack(readSettings());
  let ending = false;
  const end = () => {
    ending = true;
    void stack.stop().then(() => Deno.exit(0));
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) Deno.addSignalListener(signal, end);
  whenParentEnds(end);
  try {
    await stack.start();
    tell(await welcome(stack), "stdout");
  } catch (error) {
    await stack.stop();
    if (!ending) throw error; // interrupted by the stop
  }
}

/** Signals to npm, or its end, don't reach this process. */
function whenParentEnds(end: () => void): void {
  if (!Deno.env.has("npm_lifecycle_event") && !Deno.env.has("TIDINGS_END_WITH_PARENT")) return;
  const family = () => `${Deno.ppid} ${parentOf(Deno.ppid)}`;
  const before = family();
  setInterval(() => family() !== before && end(), 500);
}

globalThis.addEventListener("unhandledrejection", (event) => {
  event.preventDefault(); // an error in one request must not end the process
  console.error("unhandled:", event.reason);
});

// postgres.js may write to a closed connection; the caller gets the close error.
globalThis.addEventListener("error", (event) => {
  if (event.error instanceof TypeError && event.error.stack?.includes("postgres/src/connection.js")) event.preventDefault();
});

try {
  const from = Deno.env.get("TIDINGS_MOVE_FROM");
  if (from) {
    await moveFolder(readSettings(), from);
    Deno.exit(0);
  }
  await supervise();
} catch (error) {
  tell(error instanceof StartError ? error.message : String(withoutDetail(error)));
  Deno.exit(1);
}
