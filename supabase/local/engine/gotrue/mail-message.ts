/** Parses a single-part message (RFC 5322, RFC 2045). */
export function readMessage(message: string): { to: string; subject: string; html: string } {
  const [head = "", ...rest] = message.split("\r\n\r\n");
  const lines = head.replace(/\r\n[ \t]+/g, " ").split("\r\n");
  const headers = new Map(lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]));
  const body = rest.join("\r\n\r\n");
  return {
    to: /<([^<>]+)>/.exec(headers.get("to") ?? "")?.[1] ?? headers.get("to") ?? "",
    subject: (headers.get("subject") ?? "").replace(/=\?utf-8\?q\?(.*?)\?=/gi, (_, text: string) =>
      quotedPrintable(text.replace(/_/g, " ")),
    ),
    html: headers.get("content-transfer-encoding") === "quoted-printable" ? quotedPrintable(body) : Buffer.from(body, "latin1").toString(),
  };
}

const quotedPrintable = (text: string): string =>
  Buffer.from(
    text.replace(/=\r\n/g, "").replace(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  ).toString();
