import { version } from "#contract/version.ts";
import { operatorLink } from "./service/sign-up.ts";
import { demoProvider } from "./seed/demo-provider.ts";
import type { Stack } from "./stack.ts";

export async function welcome(stack: Stack): Promise<string> {
  const demo = await stack.demoAccount();
  return [
    "",
    `  Tidings ${version} is running at ${stack.publicUrl}`,
    "",
    ...(demo ? [`  Demo sign-in   ${demo.email}  /  ${demo.password}`] : []),
    ...(demo && stack.settings.dev ? [`  Single sign-on any address at ${demoProvider.domain}, with any password`] : []),
    `  Email          ${mailOf(stack)}`,
    `  Data           ${stack.settings.dataDir}`,
    ...(stack.settings.service
      ? [
          `  Listens on     ${stack.url}`,
          ...operatorOf(stack),
          ...(stack.settings.project ? [`  Supabase       ${stack.settings.project.url}`] : []),
          ...(await risksOf(stack)).map((risk) => `  Risk           ${risk}`),
        ]
      : []),
    ...(Deno.env.get("npm_lifecycle_event") ? ["  Stop           Ctrl+C here, or npm stop"] : []),
    ...stack
      .missingFunctions()
      .map((name) => `  Attention      the function ${name} doesn't start; ${stack.settings.dataDir}/logs/${name}.log has the reason`),
    "",
  ].join("\n");
}

function operatorOf(stack: Stack): string[] {
  const token = stack.operatorToken();
  return token === null
    ? []
    : [
        `  Operator       ${operatorLink(stack.publicUrl, token)}`,
        "                 creates the operator's account, once. The next start creates a new link",
      ];
}

function mailOf({ settings, publicUrl }: Stack): string {
  const transport = ["TIDINGS_MAIL_TRANSPORT", "TIDINGS_MAIL_SMTP_URL", "TIDINGS_MAIL_API_URL"].find((name) => Deno.env.get(name));
  if (settings.service && !transport)
    return `stored in ${settings.dataDir}/mail and not sent: set TIDINGS_MAIL_API_URL or TIDINGS_MAIL_SMTP_URL`;
  if (!transport || (!settings.service && transport === "TIDINGS_MAIL_API_URL")) return `${publicUrl}/dev/mail`;
  return `sent through ${transport === "TIDINGS_MAIL_TRANSPORT" ? Deno.env.get(transport) : transport}`;
}

const backupDays = 7;

async function risksOf(stack: Stack): Promise<string[]> {
  const { gotrue, project, signUp } = stack.settings;
  return [
    stack.publicUrl.startsWith("http:") && "passwords are sent unencrypted: set up https (docs/self-hosting.md)",
    signUp.mode === "open" && "sign-up is open: anyone can create an account (TIDINGS_SIGNUP=open)",
    !project && backupRisk(await stack.lastBackup()),
    !project && `${gotrue ? "REST and storage" : "auth, REST and storage"} use @supabase/lite, which is alpha: see docs/self-hosting.md`,
  ].filter((risk) => risk !== false && risk !== null) as string[];
}

function backupRisk(last: Date | null): string | null {
  const advice = "make one regularly (docs/operations.md)";
  if (last === null) return `no backup exists: ${advice}`;
  const days = Math.floor((Date.now() - last.getTime()) / 86_400_000);
  return days >= backupDays ? `the last backup is ${days} days old: ${advice}` : null;
}
