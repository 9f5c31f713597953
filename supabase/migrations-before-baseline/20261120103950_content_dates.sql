-- When what a post says last changed. updated_at also moves when it is archived, restored, scheduled or gets another address;
-- a feed that took it for an edit would show old news as new.
alter table public.posts add column content_updated_at timestamptz not null default now();

alter table public.posts disable trigger user;
update public.posts p set content_updated_at = coalesce(
  (
    select max(r.created_at) from (
      select v.created_at, v.version, (v.title, v.tags, v.content_raw)
        is distinct from (lag(v.title) over w, lag(v.tags) over w, lag(v.content_raw) over w) as says_something_new
      from public.post_revisions v where v.post_id = p.id
      window w as (order by v.version)
    ) as r where r.says_something_new
  ), p.updated_at);
alter table public.posts enable trigger user;

create function private.date_content() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.content_updated_at := case
    when tg_op = 'INSERT' or (new.title, new.content_raw, new.tags) is distinct from (old.title, old.content_raw, old.tags)
      then new.updated_at
    else old.content_updated_at end;
  return new;
end $$;
create trigger posts_45_content_date before insert or update on public.posts for each row execute function private.date_content();

-- As before, but updated_at is that of the content, and no earlier than the publication: publishing is a reader's first version.
-- It is the same before and after the publisher has been by.
create or replace view private.visible_posts with (security_invoker = true) as
select
  p.id, p.workspace_id, p.slug, p.title, p.excerpt, p.tags, p.content_raw, p.author_name, p.version,
  coalesce(p.published_at, p.publish_at) as published_at,
  greatest(p.content_updated_at, coalesce(p.published_at, p.publish_at)) as updated_at
from public.posts p join public.workspaces w on w.id = p.workspace_id
where w.public_changelog_enabled
  and p.status in ('published', 'scheduled')
  and (p.status = 'published' or p.publish_at <= now());
