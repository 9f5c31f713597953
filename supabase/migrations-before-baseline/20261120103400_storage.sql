-- Three public buckets: anybody may fetch a file whose (random) name he knows, nobody lists another's. Rows of
-- storage.objects say who may put and remove: writers the images of their workspace's posts, owners and admins the
-- workspace's logo, everybody his own avatar. The first folder is the workspace's or person's id.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values
  ('post-images', 'post-images', true, 5242880, '{image/png,image/jpeg,image/webp,image/gif}'),
  ('logos', 'logos', true, 5242880, '{image/png,image/jpeg,image/webp,image/gif}'),
  ('avatars', 'avatars', true, 2097152, '{image/png,image/jpeg,image/webp,image/gif}')
on conflict (id) do update set public = excluded.public, file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

-- {id}/{random id}.{extension}: one folder, a name nobody guesses, a type the product shows.
create function private.is_image_path(path text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select path ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(png|jpg|jpeg|webp|gif)$'
$$;
grant execute on function private.is_image_path(text) to authenticated, service_role;

create policy "people see their own and their workspaces' files" on storage.objects for select to authenticated
using (
  bucket_id in ('post-images', 'logos') and split_part(name, '/', 1) = any (array(select private.my_workspace_ids()::text))
  or bucket_id = 'avatars' and split_part(name, '/', 1) = (select auth.uid())::text
);
create policy "people add files where they may write" on storage.objects for insert to authenticated
with check (
  private.is_image_path(name) and case bucket_id
    when 'post-images' then split_part(name, '/', 1) = any (array(select private.my_workspace_ids('{owner,admin,editor}')::text))
    when 'logos' then split_part(name, '/', 1) = any (array(select private.my_workspace_ids('{owner,admin}')::text))
    when 'avatars' then split_part(name, '/', 1) = (select auth.uid())::text
    else false
  end
);
create policy "people remove files where they may write" on storage.objects for delete to authenticated
using (
  case bucket_id
    when 'post-images' then split_part(name, '/', 1) = any (array(select private.my_workspace_ids('{owner,admin,editor}')::text))
    when 'logos' then split_part(name, '/', 1) = any (array(select private.my_workspace_ids('{owner,admin}')::text))
    when 'avatars' then split_part(name, '/', 1) = (select auth.uid())::text
    else false
  end
);
-- No update: a new image has a new name, so that what was cached under the old one is never wrong.
