import type { ReactNode } from "react";
import type { Assistant } from "#contract/oauth.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { day, moment } from "../../lib/moment.ts";
import css from "../developers/section.module.css";
import { consentWords } from "./consent-words.ts";

/** One assistant that is connected: its host first, because its name is its own word. */
export function AssistantRow({ assistant, now, menu }: { assistant: Assistant; now: Date; menu: ReactNode }) {
  const { host, name, scopes, created_by_name, created_at, last_used_at, expires_at } = assistant;
  return (
    <tr>
      <th scope="row" className={css.name}>
        <span className={css.title}>{host}</span>
        {name !== host && (
          <span className={css.muted} dir="auto">
            “{name}”
          </span>
        )}
        <span className={css.muted}>
          for <bdi>{created_by_name}</bdi>, since{" "}
          <time dateTime={created_at} title={moment(created_at)}>
            {day(created_at)}
          </time>
        </span>
      </th>
      <td className={css.may}>
        <ul role="list">
          {scopes.map((scope) => (
            <li key={scope} className={scope === "posts:publish" ? css.strong : undefined} title={consentWords[scope].note}>
              {consentWords[scope].label}
            </li>
          ))}
        </ul>
      </td>
      <td className={css.when}>
        {last_used_at ? (
          <time dateTime={last_used_at} title={moment(last_used_at)}>
            {relativeTime(last_used_at, now)}
          </time>
        ) : (
          "Not yet"
        )}
      </td>
      <td className={css.when}>
        <time dateTime={expires_at} title={`${moment(expires_at)}, unless it is used before`}>
          {day(expires_at)}
        </time>
      </td>
      <td className={css.more}>{menu}</td>
    </tr>
  );
}
