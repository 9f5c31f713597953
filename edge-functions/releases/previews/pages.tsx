/** @jsxImportSource preact */
import type { Dates, Words } from "#contract/i18n/index.ts";
import { languageOf } from "../language.ts";
import { Layout } from "../pages/layout.tsx";
import { SignpostDrawing } from "../pages/parts.tsx";
import type { Shared } from "./queries.ts";

export function DraftNotice({ shared }: { shared: Shared }) {
  const { words, dates } = languageOf(shared.workspace);
  const { preview } = words;
  return (
    <aside className="draft" aria-label={preview.label}>
      <p>
        <strong>{stateOf(shared, preview, dates)}</strong> · {preview.version(shared.release.version)} · {preview.onlyLink}
      </p>
    </aside>
  );
}

function stateOf({ status, release }: Shared, words: Words["preview"], dates: Dates): string {
  if (status === "scheduled") return words.scheduled(dates.exact(release.published_at));
  return status === "draft" ? words.draft : words.closed;
}

const aside = (title: string) => ({ title, description: title, canonical: null });

export function NoPreviewPage() {
  return (
    <Layout about={aside("This link doesn't work")} branded={null}>
      <div className="note">
        <SignpostDrawing />
        <h1>This link no longer works</h1>
        <p>Preview links expire after some days, or when they are revoked. Please ask for a new one.</p>
      </div>
    </Layout>
  );
}

export function TooOftenPage() {
  return (
    <Layout about={aside("Please wait a moment")} branded={null}>
      <div className="note">
        <SignpostDrawing />
        <h1>Please wait a moment</h1>
        <p>Too many requests from your network. Please try again in a moment.</p>
      </div>
    </Layout>
  );
}
