-- The images a post or its revisions have shown, so that a purge finds those no one else uses, and the queue of unused files. Files are deleted
-- through the Storage service: hosted Storage forbids SQL, and the bytes would stay.
create table private.post_images (
  post_id uuid not null constraint post_images_post_id_fkey references public.posts (id) on delete cascade,
  path text collate "C" not null,
  constraint post_images_pkey primary key (post_id, path)
);
create index post_images_by_path on private.post_images (path);

create table private.discarded_files (
  bucket text not null,
  path text not null,
  discarded_at timestamptz not null default now(),
  constraint discarded_files_pkey primary key (bucket, path)
);

-- Queues images that no other post or template (94-templates) shows. For a deleted workspace workspaces_discard_their_files queues everything at once:
-- with 10,000 posts, one by one would exceed the statement timeout.
create function private.discard_images() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.workspaces w where w.id = old.workspace_id) then return old; end if;
  insert into private.discarded_files (bucket, path)
  select 'post-images', mine.path from private.post_images mine
  where mine.post_id = old.id
    and not exists (select from private.post_images other where other.path = mine.path and other.post_id <> old.id)
    and not exists (select from private.template_images kept where kept.path = mine.path)
  on conflict on constraint discarded_files_pkey do nothing;
  return old;
end $$;

create function public.discarded_files(max_rows int default 100) returns table (bucket text, path text)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select d.bucket, d.path from private.discarded_files d
    where d.bucket <> 'post-images' or not exists (select from private.post_images i where i.path = d.path)
      and not exists (select from private.template_images i where i.path = d.path)
    order by d.discarded_at, d.bucket, d.path limit least(max_rows, 1000);
end $$;
create function public.forget_discarded_files(bucket text, paths text[]) returns int
language plpgsql security definer set search_path = '' as $$
declare
  forgotten int;
begin
  delete from private.discarded_files d where d.bucket = forget_discarded_files.bucket and d.path = any (paths);
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;

-- Three public buckets; files have random names and can't be listed. The first folder is the workspace's or person's id.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values
  ('post-images', 'post-images', true, 5242880, '{image/png,image/jpeg,image/webp,image/gif}'),
  ('logos', 'logos', true, 5242880, '{image/png,image/jpeg,image/webp,image/gif}'),
  ('avatars', 'avatars', true, 2097152, '{image/png,image/jpeg,image/webp,image/gif}')
on conflict (id) do update set public = excluded.public, file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

create function private.is_image_path(path text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select path ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(png|jpg|jpeg|webp|gif)$'
$$;

-- True if a post, a revision or a template shows it. Such a file can't be replaced by a member who needs approval.
create function private.is_shown_image(path text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from private.post_images i where i.path = is_shown_image.path)
    or exists (select from private.template_images i where i.path = is_shown_image.path);
end $$;

-- Storage policies answer false for an ended session instead of raising. `case` fixes the order of evaluation.
create policy "people see their own and their workspaces' files" on storage.objects for select to authenticated
using (
  case when not (select private.has_session()) then false
    when bucket_id in ('post-images', 'logos') then split_part(name, '/', 1) = any (array(select private.my_workspace_ids()::text))
    else bucket_id = 'avatars' and split_part(name, '/', 1) = (select auth.uid())::text
  end
);
create policy "people add files where they may write" on storage.objects for insert to authenticated
with check (
  private.is_image_path(name) and case when not (select private.has_session()) then false else case bucket_id
    when 'post-images' then split_part(name, '/', 1) = any (array(select private.my_workspace_ids('{owner,admin,editor}')::text))
      and not private.is_shown_image(name)
    when 'logos' then split_part(name, '/', 1) = any (array(select private.my_workspace_ids('{owner,admin}')::text))
    when 'avatars' then split_part(name, '/', 1) = (select auth.uid())::text
    else false
  end end
);
create policy "people remove files where they may write" on storage.objects for delete to authenticated
using (
  case when not (select private.has_session()) then false else case bucket_id
    when 'post-images' then split_part(name, '/', 1) = any (array(select private.my_workspace_ids('{owner,admin,editor}')::text))
      and not private.is_shown_image(name)
    when 'logos' then split_part(name, '/', 1) = any (array(select private.my_workspace_ids('{owner,admin}')::text))
    when 'avatars' then split_part(name, '/', 1) = (select auth.uid())::text
    else false
  end end
);
-- No update: a new image has a new name, so caches are never wrong.

-- Queues the former file in the write that replaces it or deletes its row, so concurrent uploads leave no file behind. Only paths in the owner's folder
-- count. Arguments: bucket, column of the path or URL, column of the owner's id.
create function private.discard_former_file() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  base constant text := '^/storage/v1/object/public/' || tg_argv[0] || '/';
  former constant text := regexp_replace(to_jsonb(old) ->> tg_argv[1], base, '');
  present constant text := regexp_replace(to_jsonb(new) ->> tg_argv[1], base, '');
  folder constant text := (to_jsonb(old) ->> tg_argv[2]) || '/';
begin
  if starts_with(present, folder) then
    delete from private.discarded_files d where d.bucket = tg_argv[0] and d.path = present;
  end if;
  if starts_with(former, folder) and strpos(substr(former, length(folder) + 1), '/') = 0 then
    insert into private.discarded_files (bucket, path) values (tg_argv[0], former) on conflict on constraint discarded_files_pkey do nothing;
  end if;
  return null;
end $$;
create trigger profiles_discard_their_former_avatar after update of avatar_url on public.profiles
for each row when (old.avatar_url is distinct from new.avatar_url)
execute function private.discard_former_file('avatars', 'avatar_url', 'user_id');
create trigger workspaces_discard_their_former_logo after update of logo_url on public.workspaces
for each row when (old.logo_url is distinct from new.logo_url)
execute function private.discard_former_file('logos', 'logo_url', 'id');

grant execute on function private.is_image_path to authenticated, service_role;
grant execute on function public.discarded_files, public.forget_discarded_files to service_role;
grant execute on function private.is_shown_image to authenticated;
