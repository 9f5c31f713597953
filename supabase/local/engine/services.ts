import type { Sql } from "postgres";
import { type Rate, scaledSize } from "#contract/rate-limits.ts";
import type { ProjectConfig } from "../config.ts";
import type { Keys } from "../keys.ts";
import { type BotCheck, checkForBots } from "../service/bot-check.ts";
import { answersQueries, createBuckets, finishDatabase } from "./database.ts";
import { checkSignUps } from "../service/sign-up.ts";
import { limitStrangers, type TokenBuckets } from "./auth-limits.ts";
import { type Gotrue, samlPaths } from "./gotrue/gotrue.ts";
import { startLite } from "./lite/lite.ts";
import type { MailBox } from "./mail.ts";
import type { Part } from "./parts.ts";
import type { Postgres } from "./postgres.ts";
import type { SupabaseServices } from "./supabase-services.ts";

export interface ServicesOptions {
  postgres: Postgres;
  sql: Sql;
  ownerUrl: string;
  config: ProjectConfig;
  keys: Keys;
  dataDir: string;
  siteUrl: string;
  mail: MailBox;
  botCheck: BotCheck | null;
  rateLimitScale: number;
  listensOn: string;
  gotrue: Gotrue | null;
}

export class Services implements Part {
  readonly name = "services";
  readonly #options: ServicesOptions;
  #services: SupabaseServices | null = null;

  constructor(options: ServicesOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { postgres, sql, ownerUrl, config, keys, gotrue, botCheck, listensOn } = this.#options;
    const lite = await startLite({ ...this.#options, dbUrl: postgres.adminUrl });
    await finishDatabase(sql, ownerUrl);
    await createBuckets(sql, config);
    const checked = checkForBots(checkSignUps(gotrue?.inPlaceOf(lite) ?? lite, sql), botCheck, keys.secretKey);
    this.#services = limitStrangers(checked, this.#tokenBuckets(), listensOn, gotrue && samlPaths);
  }

  health(databaseAnswers: boolean): Record<string, boolean> {
    const up = databaseAnswers && this.#services !== null;
    return { auth: up && (this.#options.gotrue?.up ?? true), rest: up, storage: up };
  }

  /** Null while they're down, also if Postgres ends during the request. */
  async fetch(request: Request, clientAddress: string): Promise<Response | null> {
    const services = this.#services;
    if (!services || !this.#options.postgres.up) return null;
    const lostBefore = services.lostConnections();
    const answer = await services.fetch(request, clientAddress);
    if (answer.status < 500) return answer;
    return services.lostConnections() > lostBefore || !(await this.databaseAnswers()) ? null : answer;
  }

  async databaseAnswers(): Promise<boolean> {
    return this.#options.postgres.up && (await answersQueries(this.#options.sql));
  }

  #tokenBuckets(): TokenBuckets {
    const { sql, rateLimitScale } = this.#options;
    const scaled = (rate: Rate) => scaledSize(rate, rateLimitScale);
    return {
      async take(bucket, key, rate) {
        const [row] = await sql<
          { wait: number }[]
        >`select public.take_token(${bucket}, ${key}, ${scaled(rate)}, make_interval(secs => ${rate.seconds})) as wait`;
        return row?.wait ?? 0;
      },
      async giveBack(bucket, key, rate) {
        await sql`select public.give_back_token(${bucket}, ${key}, ${scaled(rate)})`;
      },
    };
  }
}
