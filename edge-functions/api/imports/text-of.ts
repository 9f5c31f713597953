const declaration = /^(\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["'])([\w.:-]{1,40})(["'])/i;

/** Bytes as text: in the encoding that the header names, else the one that XML declares, else UTF-8. What is declared is UTF-8 from then on. */
export function textOf(bytes: Uint8Array, contentType: string): string {
  const named = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType)?.[1];
  const declared = declaration.exec(new TextDecoder("latin1").decode(bytes.subarray(0, 300)))?.[2];
  const text = decoderOf(named ?? declared ?? "utf-8").decode(bytes);
  return text.replace(declaration, "$1UTF-8$3");
}

function decoderOf(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder(); // no encoding that anybody knows
  }
}
