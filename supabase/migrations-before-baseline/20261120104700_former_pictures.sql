-- The file of an avatar or logo goes when another picture, or none, takes its place: queued by the very write that replaces it, so
-- of two uploads at once neither leaves a file behind. Only what lies in the folder of the person or workspace itself: the address
-- of a picture is what its owner says it is. Arguments: bucket, column of the address, column of the owner's id.
create function private.discard_former_picture() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  bucket constant text := tg_argv[0];
  base constant text := '/storage/v1/object/public/' || bucket || '/';
  former constant text := to_jsonb(old) ->> tg_argv[1];
  present constant text := to_jsonb(new) ->> tg_argv[1];
  folder constant text := base || (to_jsonb(old) ->> tg_argv[2]) || '/';
begin
  if starts_with(present, folder) then
    delete from private.discarded_files d where d.bucket = tg_argv[0] and d.path = substr(present, length(base) + 1);
  end if;
  if starts_with(former, folder) and strpos(substr(former, length(folder) + 1), '/') = 0 then
    insert into private.discarded_files (bucket, path) values (bucket, substr(former, length(base) + 1))
    on conflict on constraint discarded_files_pkey do nothing;
  end if;
  return null;
end $$;
create trigger profiles_discard_their_former_avatar after update of avatar_url on public.profiles
for each row when (old.avatar_url is distinct from new.avatar_url)
execute function private.discard_former_picture('avatars', 'avatar_url', 'user_id');
create trigger workspaces_discard_their_former_logo after update of logo_url on public.workspaces
for each row when (old.logo_url is distinct from new.logo_url)
execute function private.discard_former_picture('logos', 'logo_url', 'id');
