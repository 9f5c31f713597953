-- What nobody needs any more: images that no post has ever shown, and invitations that ended unused, both after 30 days.
-- Files wait in private.discarded_files until the API has removed them; a post that shows one again in the meantime keeps it.
create function private.discard_unused_images() returns void
language sql security definer set search_path = '' as $$
  insert into private.discarded_files (bucket, path)
  select o.bucket_id, o.name from storage.objects o
  where o.bucket_id = 'post-images' and o.created_at < now() - interval '30 days'
    and not exists (select from private.post_images i where i.path = o.name)
  on conflict on constraint discarded_files_pkey do nothing;
$$;

create or replace function public.discarded_files(max_rows int default 100) returns table (bucket text, path text)
language sql stable security definer set search_path = '' as $$
  select d.bucket, d.path from private.discarded_files d
  where d.bucket <> 'post-images' or not exists (select from private.post_images i where i.path = d.path)
  order by d.discarded_at, d.bucket, d.path limit least(max_rows, 1000)
$$;

create or replace function private.tidy_up() returns void
language sql security definer set search_path = '' as $$
  delete from private.request_keys k where k.created_at < now() - interval '1 day';
  delete from private.rate_limits r where r.full_at < now();
  delete from private.view_salts s where s.day < (now() at time zone 'utc')::date;
  delete from private.view_readers r where r.day < (now() at time zone 'utc')::date;
  delete from private.released_subdomains r where r.released_at < now() - interval '30 days';
  delete from public.invites i where i.accepted_at is null and least(i.revoked_at, i.expires_at) < now() - interval '30 days';
  select private.discard_unused_images();
$$;
