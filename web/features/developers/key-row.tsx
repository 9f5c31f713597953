import type { ReactNode } from "react";
import type { ApiKey } from "#contract/api-keys.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { Icon } from "../../ui/icon.tsx";
import { day, moment } from "../../lib/moment.ts";
import { scopeLabels } from "./scope-labels.ts";
import css from "../../ui/table-section.module.css";

const soonMs = 14 * 86_400_000;

/** Masked key such as "tdk_abcd…wxyz". */
export const maskedKey = ({ start, last4 }: ApiKey): string => `${start}…${last4}`;

export function KeyRow({ apiKey: key, now, menu }: { apiKey: ApiKey; now: Date; menu: ReactNode }) {
  const expiresSoon = key.expires_at !== null && Date.parse(key.expires_at) - now.getTime() < soonMs;
  return (
    <tr>
      <th scope="row" className={css.name}>
        <span className={css.title}>{key.name}</span>
        <code className={css.trace}>{maskedKey(key)}</code>
        <span className={css.muted}>by {key.created_by_name}</span>
        {key.former_until && Date.parse(key.former_until) > now.getTime() && (
          <span className={css.warn}>
            <Icon name="history" /> The old secret works until {moment(key.former_until)}
          </span>
        )}
      </th>
      <td className={css.may}>
        <ul role="list">
          {key.scopes.map((scope) => (
            <li key={scope} className={scope === "posts:publish" ? css.strong : undefined} title={scopeLabels[scope].note}>
              {scopeLabels[scope].label}
            </li>
          ))}
        </ul>
      </td>
      <td className={css.when}>
        {key.last_used_at ? (
          <time dateTime={key.last_used_at} title={moment(key.last_used_at)}>
            {relativeTime(key.last_used_at, now)}
          </time>
        ) : (
          "Never"
        )}
      </td>
      <td className={css.when}>
        {key.expires_at ? (
          <time dateTime={key.expires_at} title={moment(key.expires_at)} className={expiresSoon ? css.warn : undefined}>
            {expiresSoon && <Icon name="exclamation-triangle" />} {day(key.expires_at)}
          </time>
        ) : (
          "Never"
        )}
      </td>
      <td className={css.more}>{menu}</td>
    </tr>
  );
}
