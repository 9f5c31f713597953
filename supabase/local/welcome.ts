import type { Stack } from "./stack.ts";

/** What a person reads when everything is up. */
export async function welcome(stack: Stack): Promise<string> {
  const demo = await stack.demoAccount();
  return [
    "",
    `  Tidings is running at ${stack.publicUrl}`,
    "",
    ...(demo ? [`  Demo sign-in   ${demo.email}  /  ${demo.password}`] : []),
    `  Mail           ${stack.publicUrl}/dev/mail`,
    `  Data           ${stack.settings.dataDir}`,
    "  Stop           Ctrl+C here, or npm stop",
    ...stack
      .missingFunctions()
      .map((name) => `  Attention      the function ${name} does not start; ${stack.settings.dataDir}/logs/${name}.log says why`),
    "",
  ].join("\n");
}
