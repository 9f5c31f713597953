import { apiOf, asked } from "./account.js";
import { exitCodes, Failure } from "./errors.js";
import { print, textOf } from "./output.js";

/** Shows or sets who can read the public changelog. A password is never an argument, because shells keep those. */
export async function access([mode, ...rest], values, io) {
  if (rest.length > 0) throw new Failure(`Too many arguments: ${rest.join(" ")}`, exitCodes.usage);
  const { api } = await apiOf(values, io);
  let answer = await api.get("/api/v1/access");
  if (mode !== undefined || values.renew) {
    const { access: present, emails_content } = answer;
    const password =
      mode === "password" && (await (io.stdin.isTTY ? asked(io, "Password (hidden): ") : textOf(io.stdin))).replace(/\r?\n$/, "");
    const body = { access: mode ?? present, emails_content, renew: values.renew ?? false, ...(password && { password }) };
    answer = await api.put("/api/v1/access", body);
  }
  const secret = answer.access === "token" ? answer.token_secret : answer.link;
  print(io, values, answer, secret === null ? answer.access : `${answer.access}  ${secret}`);
}
