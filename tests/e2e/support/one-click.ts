import http from "node:http";
import https from "node:https";

/** The request behind an email program's unsubscribe button (RFC 8058). Without cookies and DNS, which doesn't know subdomains of localhost. */
export function oneClick(address: string): Promise<number | undefined> {
  const { protocol, host, hostname: servername, port, pathname: path } = new URL(address);
  const headers = { host, "content-type": "application/x-www-form-urlencoded" };
  const { request } = protocol === "https:" ? https : http;
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", servername, port, path, method: "POST", headers }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode));
    })
      .on("error", reject)
      .end("List-Unsubscribe=One-Click");
  });
}
