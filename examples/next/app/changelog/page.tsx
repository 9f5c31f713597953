import Link from "next/link";
import { notFound } from "next/navigation";
import { listPosts } from "../../lib/tidings";

export const metadata = { title: "Changelog" };

export default async function Changelog({ searchParams }: { searchParams: Promise<{ page?: string }> }) {
  const page = Number((await searchParams).page ?? 1);
  const list = await listPosts(page);
  if (list === null) notFound();
  return (
    <>
      <h1>Changelog</h1>
      {list.releases.map(({ slug, title, excerpt, published_at }) => (
        <article key={slug}>
          <h2>
            <Link href={`/changelog/${slug}`}>{title}</Link>
          </h2>
          <time dateTime={published_at}>{new Date(published_at).toLocaleDateString("en", { dateStyle: "long" })}</time>
          <p>{excerpt}</p>
        </article>
      ))}
      {page < list.pagination.pages && <Link href={`/changelog?page=${page + 1}`}>Older posts</Link>}
    </>
  );
}
