import { useId, useMemo } from "react";
import type { Tag } from "#contract/tags.ts";
import { useTags } from "../posts/tags/use-tags.ts";
import { type FoundPost } from "./found.ts";
import { newTagLabel, sourceTags, type TagMapping, type TagTarget } from "./tag-mapping.ts";
import css from "./tag-map.module.css";

interface TagMapProps {
  workspaceId: string;
  posts: readonly FoundPost[];
  tags: TagMapping;
  onTarget: (name: string, target: TagTarget) => void;
}

/** More than these are folded away until somebody wants to see them. */
const openUpTo = 6;

/** Where each of the source's tags goes. */
export function TagMap({ workspaceId, posts, tags, onTarget }: TagMapProps) {
  const { tags: here } = useTags(workspaceId);
  const names = useMemo(() => sourceTags(posts), [posts]);
  if (names.length === 0) return null;
  const kinds = [...tags.values()].map(({ kind }) => kind);
  const counts = [
    [kinds.filter((kind) => kind === "key").length, "as tags that are here"],
    [kinds.filter((kind) => kind === "new").length, "as new ones"],
    [kinds.filter((kind) => kind === "none").length, "left out"],
  ] as const;
  return (
    <details className={css.map} open={names.length <= openUpTo}>
      <summary>
        <span className={css.legend}>Tags</span>{" "}
        <span className={css.muted}>
          {counts
            .filter(([count]) => count > 0)
            .map(([count, words]) => `${count.toLocaleString()} ${words}`)
            .join(", ")}
        </span>
      </summary>
      <ul role="list" className={css.list} aria-label="Tags of the source">
        {names.map(([name, count]) => (
          <TagLine key={name} name={name} count={count} here={here} target={tags.get(name)} onTarget={onTarget} />
        ))}
      </ul>
    </details>
  );
}

interface TagLineProps extends Pick<TagMapProps, "onTarget"> {
  name: string;
  count: number;
  here: readonly Tag[];
  target: TagTarget | undefined;
}

function TagLine({ name, count, here, target, onTarget }: TagLineProps) {
  const id = useId();
  const value = target?.kind === "key" ? `key ${target.key}` : (target?.kind ?? "none");
  const chosen = (choice: string): TagTarget => {
    if (choice === "new" || choice === "none") return { kind: choice };
    return { kind: "key", key: choice.slice(4) };
  };
  return (
    <li className={css.line}>
      <label htmlFor={id} className={css.name}>
        {name} <span className={css.muted}>{count.toLocaleString()}×</span>
      </label>
      <select id={id} className={css.select} value={value} onChange={({ target: { value: choice } }) => onTarget(name, chosen(choice))}>
        {here.map(({ key, label }) => (
          <option key={key} value={`key ${key}`}>
            {label}
          </option>
        ))}
        <option value="new">New tag “{newTagLabel(name)}”</option>
        <option value="none">Leave it out</option>
      </select>
    </li>
  );
}
