/** @jsxImportSource preact */
import { escapeHtml } from "#contract/blocks/text.ts";
import type { Words } from "#contract/i18n/index.ts";
import { languageOf } from "../language.ts";
import type { Faults, Typed } from "./comment-form.ts";
import type { Shared, VisitorThread } from "./queries.ts";
import type { ShownBlock } from "./texts.ts";

export interface CommentsProps {
  shared: Shared;
  threads: readonly VisitorThread[];
  blocks: readonly ShownBlock[];
  action: string;
  typed: Typed;
  faults: Faults | null;
  isSent: boolean;
}

export function Comments({ shared, threads, blocks, action, typed, faults, isSent }: CommentsProps) {
  const language = languageOf(shared.workspace);
  const { preview: words } = language.words;
  const wordsOf = new Map(blocks.map((block) => [block.id, block.words]));
  return (
    <section className="said" id="Comment" aria-labelledby="Comments">
      <h2 id="Comments">{words.comments}</h2>
      {isSent && (
        <p className="done" role="status">
          {words.sent}
        </p>
      )}
      {threads.map((thread) => (
        <article key={thread.id} id={`Thread-${thread.id}`}>
          {thread.block_id !== null && <About id={thread.block_id} wordsOf={wordsOf} words={words} />}
          {thread.comments.map(({ name, visitor, text, created_at }, at) => (
            <div key={at} className={at === 0 ? "remark" : "remark answer"}>
              <p className="who">
                <strong dir="auto">{name}</strong>
                {!visitor && <span> · {words.ofTeam(shared.workspace.name)}</span>}
                <span>
                  {" · "}
                  <time dateTime={created_at} title={language.dates.exact(new Date(created_at))}>
                    {language.dates.day(new Date(created_at))}
                  </time>
                </span>
              </p>
              <p className="words" dir="auto">
                {text}
              </p>
            </div>
          ))}
        </article>
      ))}
      <form method="post" action={action} acceptCharset="utf-8">
        <p>{words.lead(shared.workspace.name)}</p>
        <label htmlFor="Name">{words.yourName}</label>
        <input
          id="Name"
          name="name"
          autoComplete="name"
          dir="auto"
          defaultValue={typed.name}
          autoFocus={faults?.name !== undefined}
          {...wrongIf(faults?.name, "Name")}
        />
        <Wrong id="Name" text={faults?.name} />
        <label htmlFor="About">{words.about}</label>
        <select id="About" name="block" defaultValue={typed.block}>
          <option value="">{words.wholePost}</option>
          {blocks
            .filter((block) => block.words !== "")
            .map((block) => (
              <option key={block.id} value={block.id}>
                {block.words}
              </option>
            ))}
        </select>
        <label htmlFor="Text">{words.yourComment}</label>
        <textarea
          id="Text"
          name="text"
          rows={5}
          dir="auto"
          defaultValue={typed.text}
          autoFocus={faults?.text !== undefined && faults.name === undefined}
          {...wrongIf(faults?.text, "Text")}
        />
        <Wrong id="Text" text={faults?.text} />
        <input className="trap" type="text" name="website" tabIndex={-1} autoComplete="off" aria-hidden="true" />
        <button className="button" type="submit">
          {words.send}
        </button>
      </form>
    </section>
  );
}

function About({ id, wordsOf, words }: { id: string; wordsOf: ReadonlyMap<string, string>; words: Words["preview"] }) {
  const excerpt = wordsOf.get(id);
  if (excerpt === undefined) return <p className="about">{words.noLonger}</p>;
  return (
    <p className="about">
      <a href={`#${anchorOf(id)}`} dir="auto">
        {excerpt || words.about}
      </a>
    </p>
  );
}

const wrongIf = (text: string | undefined, id: string) =>
  text === undefined ? {} : { "aria-invalid": true as const, "aria-describedby": `${id}-wrong` };

function Wrong({ id, text }: { id: string; text: string | undefined }) {
  return text === undefined ? null : (
    <p className="wrong" id={`${id}-wrong`}>
      {text}
    </p>
  );
}

const anchorOf = (id: string): string => `Block-${id}`;

export function withPlaces(blocks: readonly ShownBlock[], address: string, words: Words["preview"]): string {
  return blocks
    .map(({ id, html, words: excerpt }) => {
      const ariaLabel = excerpt === "" ? "" : ` aria-label="${escapeHtml(words.commentOn(excerpt))}"`;
      const choose = `${address}${address.includes("?") ? "&" : "?"}block=${encodeURIComponent(id)}#Comment`;
      const place = `<a href="${escapeHtml(choose)}"${ariaLabel}>${escapeHtml(words.here)}</a>`;
      return excerpt === "" ? html : `${html}\n<p class="beside" id="${escapeHtml(anchorOf(id))}">${place}</p>`;
    })
    .join("\n");
}
