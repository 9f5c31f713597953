import { Button } from "../../ui/button.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { isFileLink } from "#importers/markdown/file-links.ts";
import type { EntryState } from "#contract/imports.ts";
import { canBeTicked, dayOf, type SourcePost, shortAddress, stateLabels } from "./preview.ts";
import css from "./entry-table.module.css";

interface EntryTableProps {
  posts: readonly SourcePost[];
  /** Indexes of the rows shown. */
  places: readonly number[];
  ticked: ReadonlySet<number>;
  onTick: (place: number, on: boolean) => void;
  onPreview: (post: SourcePost) => void;
  onCompare: (post: SourcePost) => void;
}

export function EntryTable({ posts, places, ticked, ...actions }: EntryTableProps) {
  return (
    <table className={css.table} aria-labelledby="import-preview">
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">IMPORT</span>
          </th>
          <th scope="col">TITLE</th>
          <th scope="col">DATE</th>
          <th scope="col">TAGS</th>
          <th scope="col">URL</th>
          <th scope="col">STATE</th>
        </tr>
      </thead>
      <tbody>
        {places.map((place) => {
          const post = posts[place];
          return post && <Row key={place} place={place} found={post} ticked={ticked.has(place)} {...actions} />;
        })}
      </tbody>
    </table>
  );
}

interface RowProps extends Pick<EntryTableProps, "onTick" | "onPreview" | "onCompare"> {
  place: number;
  found: SourcePost;
  ticked: boolean;
}

function Row({ place, found, ticked, onTick, onPreview, onCompare }: RowProps) {
  const { post, losses, problem, state, postId } = found;
  const isUsable = canBeTicked(found);
  return (
    <tr>
      <td className={css.tick}>
        <input
          type="checkbox"
          className={css.box}
          aria-label={`Import “${post.title}”`}
          checked={ticked}
          disabled={!isUsable}
          onChange={({ target }) => onTick(place, target.checked)}
        />
      </td>
      <th scope="row" className={css.title}>
        {post.title}
        {problem !== null && (
          <span className={css.problem}>
            <Icon name="exclamation-circle" /> {problem}
          </span>
        )}
        {losses.length > 0 && <Losses losses={losses} />}
      </th>
      <td className={css.date}>{dateWords(post)}</td>
      <td className={css.small}>{post.tags?.join(", ")}</td>
      <td className={css.small}>
        <Address {...post} />
      </td>
      <td className={css.state}>
        <StateMark state={state} />
        {isUsable && (
          <span className={css.actions}>
            <Button variant="quiet" size="small" aria-label={`Preview “${post.title}”`} onClick={() => onPreview(found)}>
              Preview
            </Button>
            {postId !== null && state !== "same" && (
              <Button variant="quiet" size="small" aria-label={`Compare “${post.title}”`} onClick={() => onCompare(found)}>
                Compare
              </Button>
            )}
          </span>
        )}
      </td>
    </tr>
  );
}

function Losses({ losses }: { losses: readonly string[] }) {
  return (
    <details className={css.losses}>
      <summary>{losses.length === 1 ? "1 formatting change" : `${losses.length.toLocaleString()} formatting changes`}</summary>
      <ul>
        {losses.map((loss) => (
          <li key={loss}>{loss}</li>
        ))}
      </ul>
    </details>
  );
}

/** New and old URL. */
function Address({ slug, old_urls = [] }: SourcePost["post"]) {
  const oldUrls = old_urls.filter((url) => !isFileLink(url));
  const [first, ...more] = oldUrls;
  if (!slug && !first) return <span className={css.none}>Generated from title</span>;
  return (
    <>
      {slug && <span className={css.line}>/{slug}</span>}
      {first && (
        <span className={css.old} title={oldUrls.map(shortAddress).join("\n")}>
          was {shortAddress(first)}
          {more.length > 0 && ` and ${more.length} more`}
        </span>
      )}
    </>
  );
}

const icons: Readonly<Record<EntryState, IconName>> = {
  new: "plus",
  same: "check",
  there: "refresh",
  here: "pencil",
  both: "exclamation-triangle",
  gone: "trash",
};

function StateMark({ state }: { state: EntryState }) {
  const { word, note } = stateLabels[state];
  return (
    <span className={`${css.mark} ${css[state]}`} title={note}>
      <Icon name={icons[state]} />
      {word}
    </span>
  );
}

function dateWords({ status, published_at, publish_at }: SourcePost["post"]): string {
  if (status === "draft") return "Draft";
  if (status === "scheduled") return publish_at ? `Scheduled, ${dayOf(publish_at)}` : "Scheduled";
  const when = published_at ? dayOf(published_at) : "No date";
  return status === "archived" ? `Archived, ${when}` : when;
}
