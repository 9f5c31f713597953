-- A workspace of 10,000 posts must go within the eight seconds that a statement has: its files are queued once, all
-- together (workspaces_discard_their_files), not looked for again with each of its posts.
create or replace function private.discard_images() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.workspaces w where w.id = old.workspace_id) then return old; end if;
  insert into private.discarded_files (bucket, path) select 'post-images', private.own_images(old.id)
  on conflict on constraint discarded_files_pkey do nothing;
  return old;
end $$;
