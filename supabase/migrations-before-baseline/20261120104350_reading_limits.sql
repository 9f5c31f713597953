-- Readings are told apart by what a client says of its browser, so one client could be as many readers as it likes: from one
-- network at most a thousand readings count at once, and as many again in the course of a day. An office reads less.
create or replace function private.count_view(subdomain text, address text, reader_address text, user_agent text) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  post constant uuid := (select r.id from private.get_release(subdomain, address) as r where r.moved_to is null);
  salt bytea;
  this_reader bytea;
begin
  if post is null or private.is_bot(user_agent) then return false; end if;
  select s.salt into salt from private.view_salts s where s.day = today;
  if salt is null then
    delete from private.view_salts s where s.day < today;
    delete from private.view_readers r where r.day < today;
    insert into private.view_salts (day) values (today) on conflict on constraint view_salts_pkey do nothing;
    select s.salt into salt from private.view_salts s where s.day = today;
  end if;
  this_reader := sha256(salt || convert_to(concat_ws(E'\n', post, reader_address, user_agent), 'UTF8'));
  if exists (select from private.view_readers r where r.day = today and r.reader = this_reader) then return false; end if;
  if private.take_token('reading.address', encode(salt, 'hex') || reader_address, 1000, interval '1 day') > 0 then return false; end if;
  insert into private.view_readers (day, reader) values (today, this_reader) on conflict on constraint view_readers_pkey do nothing;
  if not found then return false; end if;
  insert into public.daily_views as d (post_id, day, views, workspace_id)
  values (post, today, 1, (select p.workspace_id from public.posts p where p.id = post))
  on conflict on constraint daily_views_pkey do update set views = d.views + 1;
  return true;
end $$;
