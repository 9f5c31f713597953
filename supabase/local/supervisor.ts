import { parentOf } from "./engine/lifecycle.ts";
import { tell, withoutDetail } from "./logs.ts";
import { moveFolder } from "./service/move-folder.ts";
import { readSettings } from "./settings.ts";
import { Stack } from "./stack.ts";
import { StartError } from "./start-error.ts";
import { welcome } from "./welcome.ts";

/** The process behind `npm start` and `npm run dev`: starts the stack, says where it is, ends it on a signal. */
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
    if (!ending) throw error; // else: what a stop in the middle of the start has cut off
  }
}

/** A signal to npm ends npm, perhaps its shell, but does not come through to here; nor does the end of a test run. */
function whenParentEnds(end: () => void): void {
  if (!Deno.env.has("npm_lifecycle_event") && !Deno.env.has("TIDINGS_END_WITH_PARENT")) return;
  const family = () => `${Deno.ppid} ${parentOf(Deno.ppid)}`; // the shell and npm
  const before = family();
  setInterval(() => family() !== before && end(), 500);
}

globalThis.addEventListener("unhandledrejection", (event) => {
  event.preventDefault(); // one request's fault must not end everybody's
  console.error("unhandled:", event.reason);
});

// postgres.js may write once more to a connection that has closed meanwhile. Whoever asked hears of the closing itself.
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
