import type { Backend } from "../backend.ts";
import type { ProjectConfig } from "../config.ts";
import { loadKeys, loadSamlKey } from "../keys.ts";
import type { Logs } from "../logs.ts";
import { Realtime } from "../realtime/server.ts";
import type { BotCheck } from "../service/bot-check.ts";
import { databaseGauges } from "../service/database-gauges.ts";
import { backUpBeforeUpgrade } from "../service/upgrade.ts";
import type { Settings } from "../settings.ts";
import type { Children } from "./children.ts";
import { prepareCluster } from "./database.ts";
import { Gotrue } from "./gotrue/gotrue.ts";
import type { MailBox } from "./mail.ts";
import type { Part } from "./parts.ts";
import { connect, Postgres } from "./postgres.ts";
import { Services } from "./services.ts";

export interface EmbeddedOptions {
  settings: Settings;
  config: ProjectConfig;
  listensOn: string;
  siteUrl: string;
  mail: MailBox;
  logs: Logs;
  children: Children;
  botCheck: BotCheck | null;
  changed(part: string, up: boolean): void;
}

export function embeddedBackend({ settings, botCheck, listensOn, children, logs, changed, ...toMails }: EmbeddedOptions): Backend {
  const { dataDir, fast, slowQueryMs, gotrue: program } = settings;
  const keys = loadKeys(dataDir);
  const postgres = new Postgres({
    ...{ dataDir, fast, slowQueryMs, children },
    adminPassword: keys.adminPassword,
    log: logs.of("postgres"),
    onChange: (up) => changed("postgres", up),
  });
  const ownerUrl = postgres.url("postgres", keys.ownerPassword);
  const sql = connect(postgres.adminUrl, 6);
  const database: Part = {
    name: "database",
    start: () =>
      prepareCluster(sql, keys.ownerPassword, program === null ? "lite" : "gotrue", (isBehind) =>
        backUpBeforeUpgrade(dataDir, postgres.adminUrl, isBehind),
      ),
    stop: () => sql.end({ timeout: 1 }),
    gauges: () => databaseGauges(sql),
  };
  const databaseUrl = (role: string, password: string) => postgres.url(role, password);
  const toGotrue = { ...toMails, sql, databaseUrl, keys, children, log: logs.of("auth") };
  const gotrue =
    program === null ? null : new Gotrue({ ...toGotrue, program, samlKey: loadSamlKey(dataDir), onChange: (up) => changed("auth", up) });
  const services = new Services({
    ...toMails,
    ...{ postgres, sql, ownerUrl, keys, dataDir, botCheck, listensOn, gotrue },
    rateLimitScale: Number(settings.rateLimitScale),
  });
  const realtime = new Realtime(sql, keys, listensOn);
  return {
    parts: [postgres, database, gotrue, services, realtime],
    ...{ keys, sql, ownerUrl, postgres },
    adminUrl: postgres.adminUrl,
    databaseAnswers: () => services.databaseAnswers(),
    fetch: (request, clientAddress) => services.fetch(request, clientAddress),
    realtime: (request, clientAddress, body) => (postgres.up ? realtime.fetch(request, clientAddress, body) : null),
  };
}
