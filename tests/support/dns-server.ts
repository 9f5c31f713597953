import { createSocket } from "node:dgram";

export interface Records {
  A?: string[];
  CNAME?: string[];
  NS?: string[];
  TXT?: string[];
  CAA?: string[];
}

export interface DnsServer {
  address: string;
  records: Record<string, Records | "no answer">;
  asked: string[];
  stop(): void;
}

const types = { A: 1, NS: 2, CNAME: 5, TXT: 16, CAA: 257 } as const;
const nameOf = (type: number): string => Object.entries(types).find(([, number]) => number === type)?.[0] ?? String(type);

export async function startDns(): Promise<DnsServer> {
  const records: DnsServer["records"] = {};
  const asked: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (message, { port, address }) => {
    const { name, type, end } = readQuestion(message);
    asked.push(`${nameOf(type)} ${name}`);
    const here = records[name];
    if (here === "no answer") return;
    const exists = here !== undefined || Object.keys(records).some((other) => other.endsWith(`.${name}`));
    const answers = (Object.keys(types) as (keyof typeof types)[])
      .filter((kind) => types[kind] === type)
      .flatMap((kind) => (here?.[kind] ?? []).map((value) => resource(types[kind], contentOf(kind, value))));
    const head = Buffer.alloc(12);
    message.copy(head, 0, 0, 2);
    head.writeUInt16BE(exists ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(answers.length, 6);
    socket.send(Buffer.concat([head, message.subarray(12, end), ...answers]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return { address: `127.0.0.1:${socket.address().port}`, records, asked, stop: () => socket.close() };
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

function resource(type: number, content: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(content.length, 10);
  return Buffer.concat([head, content]);
}

const text = (value: string): Buffer => Buffer.concat([Buffer.from([Buffer.byteLength(value)]), Buffer.from(value)]);

function contentOf(kind: keyof typeof types, value: string): Buffer {
  if (kind === "A") return Buffer.from(value.split(".").map(Number));
  if (kind === "TXT") return Buffer.concat((value.match(/.{1,200}/g) ?? [""]).map(text));
  if (kind === "CAA") {
    const [tag, ...rest] = value.split(" ");
    return Buffer.concat([Buffer.from([0]), text(tag!), Buffer.from(rest.join(" "))]);
  }
  return Buffer.concat([...value.split(".").map(text), Buffer.from([0])]);
}
