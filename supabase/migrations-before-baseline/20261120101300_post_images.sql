-- Which images a post or one of its revisions ever showed, so that a purge knows what nobody else shows; and the
-- files that lost their last use. Files are removed through the Storage service, never by SQL: hosted Storage
-- forbids it, and the bytes would stay. public.discarded_files hands them to the one who does it.
create table private.post_images (
  post_id uuid not null constraint post_images_post_id_fkey references public.posts (id) on delete cascade,
  path text collate "C" not null,
  constraint post_images_pkey primary key (post_id, path)
);
alter table private.post_images enable row level security;
create index post_images_by_path on private.post_images (path); -- "does another post show it?"

create table private.discarded_files (
  bucket text not null,
  path text not null,
  discarded_at timestamptz not null default now(),
  constraint discarded_files_pkey primary key (bucket, path)
);
alter table private.discarded_files enable row level security;

create function private.record_images() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.post_images (post_id, path) select new.id, private.image_paths(new.content_raw, new.workspace_id)
  on conflict on constraint post_images_pkey do nothing;
  return null;
end $$;
create trigger posts_70_first_images after insert on public.posts for each row execute function private.record_images();
create trigger posts_70_new_images after update on public.posts
for each row when (old.content_raw is distinct from new.content_raw) execute function private.record_images();

-- The images only this post shows.
create function private.own_images(post uuid) returns setof text
language sql stable set search_path = '' as $$
  select mine.path from private.post_images mine
  where mine.post_id = post
    and not exists (select from private.post_images other where other.path = mine.path and other.post_id <> post)
$$;

create function private.discard_images() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.discarded_files (bucket, path) select 'post-images', private.own_images(old.id)
  on conflict on constraint discarded_files_pkey do nothing;
  return old;
end $$;
create trigger posts_discard_their_images before delete on public.posts for each row execute function private.discard_images();

-- For the server that empties the queue: what to remove, and, once it is gone, that it is.
create function public.discarded_files(max_rows int default 100) returns table (bucket text, path text)
language sql stable security definer set search_path = '' as $$
  select d.bucket, d.path from private.discarded_files d order by d.discarded_at, d.bucket, d.path limit least(max_rows, 1000)
$$;
create function public.forget_discarded_files(bucket text, paths text[]) returns int
language plpgsql security definer set search_path = '' as $$
declare
  forgotten int;
begin
  delete from private.discarded_files d where d.bucket = forget_discarded_files.bucket and d.path = any (paths);
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;
revoke all on function public.discarded_files(int), public.forget_discarded_files(text, text[]) from public, anon, authenticated;
grant execute on function public.discarded_files(int), public.forget_discarded_files(text, text[]) to service_role;
