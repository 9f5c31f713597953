import Link from "next/link";
import { notFound } from "next/navigation";
import { readPost } from "../../../lib/tidings";

interface Props {
  params: Promise<{ slug: string }>;
}

export async function generateMetadata({ params }: Props) {
  const post = await readPost((await params).slug);
  return { title: post?.title, description: post?.excerpt };
}

export default async function Post({ params }: Props) {
  const post = await readPost((await params).slug);
  if (post === null) notFound();
  return (
    <>
      <Link href="/changelog">Changelog</Link>
      <article>
        <h1>{post.title}</h1>
        <time dateTime={post.published_at}>{new Date(post.published_at).toLocaleDateString("en", { dateStyle: "long" })}</time>
        <div dangerouslySetInnerHTML={{ __html: post.content_html }} />
      </article>
      {/* Counts the view in Tidings' analytics. */}
      <img src={`${post.url}.gif?via=api`} alt="" width="1" height="1" />
    </>
  );
}
