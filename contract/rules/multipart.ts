const latin1 = new TextDecoder("latin1");

/** Uint8Array over an ArrayBuffer, in a form older compilers accept. */
type Bytes = ReturnType<TextEncoder["encode"]>;

export interface SentFile {
  bytes: Bytes;
  type: string;
}

const headMaxLength = 16_384;
const blankLine = bytesOf("\r\n\r\n");

export function fileIn(bytes: Bytes, contentType: string, field: string): SentFile | undefined {
  const delimiter = delimiterOf(contentType);
  if (delimiter === undefined) return undefined;
  const opensAtOnce = isAt(bytes, delimiter.subarray(2), 0);
  for (let head = opensAtOnce ? delimiter.length - 2 : behind(bytes, delimiter, 0); head >= 0;) {
    const content = behind(bytes, blankLine, head);
    const next = content < 0 ? -1 : behind(bytes, delimiter, content - 2); // in an empty part the blank line's end starts the delimiter
    if (next < 0 || content - head > headMaxLength) return undefined;
    const headers = latin1.decode(bytes.subarray(head, content - blankLine.length));
    if (isFile(headers, field)) {
      const end = next - delimiter.length;
      if (end <= content) return undefined;
      return { bytes: bytes.subarray(content, end), type: /^content-type:\s*([^\r\n]*)$/im.exec(headers)?.[1] ?? "" };
    }
    head = next;
  }
  return undefined;
}

/** First bytes of the file in a partial body; undefined if they haven't arrived or it isn't the first part. */
export function fileBeginningIn(bytes: Bytes, contentType: string, field: string, length: number): Bytes | undefined {
  const delimiter = delimiterOf(contentType)?.subarray(2);
  if (delimiter === undefined || !isAt(bytes, delimiter, 0)) return undefined;
  const content = behind(bytes.subarray(0, headMaxLength), blankLine, delimiter.length);
  if (content < 0 || content + length > bytes.length) return undefined;
  return isFile(latin1.decode(bytes.subarray(delimiter.length, content)), field) ? bytes.subarray(content, content + length) : undefined;
}

function delimiterOf(contentType: string): Bytes | undefined {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  return boundary === undefined ? undefined : bytesOf(`\r\n--${boundary}`);
}

function bytesOf(text: string): Bytes {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

const longRun = 32;

/**
 * Index behind the first occurrence of `part` from `at`; -1 if none. Searches bytes: as text, a crafted image would block the process for
 * 100 ms. The first byte occurs elsewhere in the part only in a blank line, so each byte is compared a few times at most.
 */
function behind(bytes: Bytes, part: Bytes, at: number): number {
  const [first, second] = part;
  const last = bytes.length - part.length;
  let others = 0;
  for (let start = at; start <= last; start++) {
    if (bytes[start] === first) {
      others = 0;
      if (bytes[start + 1] === second && isAt(bytes, part, start)) return start + part.length;
    } else if (++others > longRun) {
      const next = bytes.indexOf(first!, start);
      if (next < 0) return -1;
      start = next - 1;
      others = 0;
    }
  }
  return -1;
}

function isAt(bytes: Bytes, part: Bytes, start: number): boolean {
  for (let at = 0; at < part.length; at++) if (bytes[start + at] !== part[at]) return false;
  return true;
}

function isFile(head: string, field: string): boolean {
  const disposition = /^content-disposition:([^\r\n]*)$/im.exec(head)?.[1] ?? "";
  const [, name] = /;\s*name="([^"]*)"/i.exec(disposition) ?? [];
  return name === field && /;\s*filename\*?=/i.test(disposition);
}
