import { StartError } from "../start-error.ts";

/** An error as the functions log it: without addresses, tokens or bodies (edge-functions/_shared/log.ts). */
export interface ReportedFault {
  name: string;
  message: string;
  stack?: string;
}

export type Report = (part: string, fault: ReportedFault, requestId?: string) => void;

const atMost = 30; // per minute, so a broken database doesn't flood the service

/** Sends errors to a Sentry-compatible service; null without a DSN. Never throws or blocks. */
export function createReport(dsn: string | undefined, version: string): Report | null {
  if (!dsn) return null;
  const { address, key } = parse(dsn);
  let sent: number[] = [];
  return (part, { name, message, stack }, requestId) => {
    const now = Date.now();
    sent = sent.filter((at) => at > now - 60_000);
    if (sent.length >= atMost) return;
    sent.push(now);
    const event = {
      event_id: crypto.randomUUID().replaceAll("-", ""),
      timestamp: now / 1_000,
      platform: "javascript",
      level: "error",
      release: `tidings@${version}`,
      tags: { part, ...(requestId && { request_id: requestId }) },
      exception: { values: [{ type: name, value: message }] },
      extra: { stack },
    };
    const body = [{ event_id: event.event_id }, { type: "event" }, event].map((line) => JSON.stringify(line)).join("\n");
    const headers = { "content-type": "application/x-sentry-envelope", "x-sentry-auth": `Sentry sentry_version=7, sentry_key=${key}` };
    fetch(address, { method: "POST", headers, body, signal: AbortSignal.timeout(5_000) })
      .then((answer) => answer.body?.cancel())
      .catch((error: Error) => console.error("error report:", error.message));
  };
}

function parse(dsn: string): { address: string; key: string } {
  const url = URL.parse(dsn);
  const [, prefix = "", project] = /^(.*)\/(\d+)$/.exec(url?.pathname ?? "") ?? [];
  if (!url?.username || !project) throw new StartError("SENTRY_DSN must look like https://key@host/1.");
  return { address: `${url.protocol}//${url.host}${prefix}/api/${project}/envelope/`, key: url.username };
}

export function faultsIn(onFault: (fault: ReportedFault, requestId: string) => void): (text: string) => void {
  let rest = "";
  return (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop()?.slice(-100_000) ?? "";
    for (const line of lines.filter((each) => each.includes('"event":"fault"'))) {
      try {
        const { fault, id } = JSON.parse(line) as { fault: ReportedFault; id: string };
        onFault(fault, id);
      } catch {
        // not an error line
      }
    }
  };
}
