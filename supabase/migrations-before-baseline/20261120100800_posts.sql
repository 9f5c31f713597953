-- Posts: the product. A row holds the editor's cleaned blocks (never HTML: pages render their own), and what the
-- triggers of the following migrations derive from them. People write title, content_raw, tags, publish_at, status
-- and, by hand, slug; every other column is the database's. Names stand beside ids, because a post outlives its
-- author's account; the ids carry no foreign key for the same reason.
create table public.posts (
  id uuid constraint posts_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint posts_workspace_id_fkey references public.workspaces (id) on delete cascade,
  title text not null constraint posts_title_length check (char_length(title) between 1 and 119),
  slug text collate "C" not null
    constraint posts_slug_shape check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 100),
  status public.post_status not null default 'draft',
  tags text[] not null default '{}',
  content_raw jsonb not null default '{"time": 0, "blocks": [], "version": "2.28.2"}'
    constraint posts_content_is_blocks check (jsonb_typeof(content_raw -> 'blocks') = 'array'),
  search_text text not null default '',
  excerpt text not null default '',
  publish_at timestamptz,
  published_at timestamptz,
  archived_at timestamptz,
  version int not null default 1,
  created_by uuid,
  created_by_name text,
  author_name text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid,
  updated_by_name text,
  constraint posts_slug_key unique (workspace_id, slug),
  constraint posts_scheduled_has_time check (status <> 'scheduled' or publish_at is not null),
  constraint posts_draft_has_no_time check (status <> 'draft' or publish_at is null),
  constraint posts_published_has_date check (status <> 'published' or published_at is not null),
  constraint posts_archived_has_date check ((status = 'archived') = (archived_at is not null))
);
alter table public.posts enable row level security;

-- The posts list of a workspace, last edited first, and its count; archived posts are in no list but their own.
create index posts_recent on public.posts (workspace_id, updated_at desc, id desc) where status <> 'archived';
-- The same by status.
create index posts_by_status on public.posts (workspace_id, status, updated_at desc, id desc);
-- The public page: newest publication first. What is included counts them, and makes the version tag, without reading a post.
create index posts_public on public.posts (workspace_id, coalesce(published_at, publish_at) desc, id desc)
include (status, publish_at, version) where status in ('published', 'scheduled');
-- Upcoming posts of a workspace.
create index posts_upcoming on public.posts (workspace_id, publish_at) include (id) where status = 'scheduled';
-- What is due anywhere: the publisher's question.
create index posts_due on public.posts (publish_at) where status = 'scheduled';
-- Search inside one workspace; a small pending list, because every search reads it.
create index posts_search on public.posts
using gin (workspace_id, search_text extensions.gin_trgm_ops) with (gin_pending_list_limit = 256);

create policy "members read their workspace's posts" on public.posts for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
create policy "writers add posts to their workspace" on public.posts for insert to authenticated
with check (workspace_id = any (array(select private.my_workspace_ids('{owner,admin,editor}'))));
create policy "writers change their workspace's posts" on public.posts for update to authenticated
using (workspace_id = any (array(select private.my_workspace_ids('{owner,admin,editor}'))))
with check (workspace_id = any (array(select private.my_workspace_ids('{owner,admin,editor}'))));
create policy "writers purge their workspace's posts" on public.posts for delete to authenticated
using (workspace_id = any (array(select private.my_workspace_ids('{owner,admin,editor}'))));

grant select, delete on public.posts to authenticated;
grant insert (workspace_id, title, content_raw, tags, publish_at, status) on public.posts to authenticated;
grant update (title, content_raw, tags, publish_at, status, slug) on public.posts to authenticated;
grant select, insert, update, delete on public.posts to service_role;
