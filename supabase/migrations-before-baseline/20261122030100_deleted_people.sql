-- When an account goes, its pictures are queued for removal, also those no profile shows, and its address leaves the invitations: who was
-- invited by mail stands there. One that is still open ends, because without an address it would be anybody's.
create function private.forget_person() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.discarded_files (bucket, path)
  select o.bucket_id, o.name from storage.objects o where o.bucket_id = 'avatars' and o.name like old.id || '/%'
  on conflict on constraint discarded_files_pkey do nothing;
  update public.invites i
  set email = null, revoked_at = case when i.accepted_at is null then coalesce(i.revoked_at, clock_timestamp()) end
  where lower(i.email::text) = lower(old.email);
  return old;
end $$;
create trigger users_are_forgotten before delete on auth.users for each row execute function private.forget_person();

-- As before, and: a week after an invitation was accepted nobody needs the address it went to.
create or replace function private.tidy_up() returns void
language sql security definer set search_path = '' as $$
  delete from private.request_keys k where k.created_at < now() - interval '1 day';
  delete from private.rate_limits r where r.full_at < now();
  delete from private.view_salts s where s.day < (now() at time zone 'utc')::date;
  delete from private.view_readers r where r.day < (now() at time zone 'utc')::date;
  delete from private.released_subdomains r where r.released_at < now() - interval '30 days';
  delete from public.invites i where i.accepted_at is null and least(i.revoked_at, i.expires_at) < now() - interval '30 days';
  update public.invites i set email = null where i.email is not null and i.accepted_at < now() - interval '7 days';
  select private.discard_unused_images();
$$;
