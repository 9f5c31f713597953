-- How often a published post was read: once per reader and day, without cookies (product decision 8). A reader is a
-- hash of his address and browser with a salt of the day; salt and hashes are thrown away the next day, and then
-- nobody can tell who read what, nor whether two days' readers were the same. Only the sums stay.
create table public.daily_views (
  post_id uuid not null constraint daily_views_post_id_fkey references public.posts (id) on delete cascade,
  day date not null,
  views int not null default 0,
  workspace_id uuid not null,
  constraint daily_views_pkey primary key (post_id, day)
);
alter table public.daily_views enable row level security;
create index daily_views_of_workspace on public.daily_views (workspace_id, day) include (post_id, views); -- "most viewed, last month"

create policy "members with the analytics add-on read their views" on public.daily_views for select to authenticated
using (
  workspace_id = any (array(
    select a.workspace_id from public.workspace_add_ons a
    where a.add_on = 'analytics' and a.workspace_id = any (array(select private.my_workspace_ids()))
  ))
);
-- No insert, update, delete: private.count_view.
grant select on public.daily_views to authenticated;
grant select, insert, update, delete on public.daily_views to service_role;

-- Both for one day. Lost in a crash without harm: a reader may count twice that day.
create unlogged table private.view_salts (
  day date constraint view_salts_pkey primary key,
  salt bytea not null default extensions.gen_random_bytes(32)
);
create unlogged table private.view_readers (
  day date not null,
  reader bytea not null,
  constraint view_readers_pkey primary key (day, reader)
);
alter table private.view_salts enable row level security;
alter table private.view_readers enable row level security;

-- Machines that say so. The rest of them is the function's before it calls (no HEAD, no prefetch).
create function private.is_bot(user_agent text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select coalesce(btrim(user_agent), '') = ''
    or user_agent ~* '(bot|crawl|spider|slurp|preview|monitor|uptime|headless|lighthouse|feed|scrap|archiv|validator|facebookexternalhit|embedly|curl|wget|python|java/|go-http|node-fetch|axios|okhttp|httpclient|postman|libwww|phantom)'
$$;

-- Counts a reading of a visible post, at most once per reader and day; answers whether it counted.
create function private.count_view(subdomain text, address text, reader_address text, user_agent text) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  post constant uuid := (select r.id from private.get_release(subdomain, address) as r where r.moved_to is null);
  salt bytea;
begin
  if post is null or private.is_bot(user_agent) then return false; end if;
  select s.salt into salt from private.view_salts s where s.day = today;
  if salt is null then
    delete from private.view_salts s where s.day < today;
    delete from private.view_readers r where r.day < today;
    insert into private.view_salts (day) values (today) on conflict on constraint view_salts_pkey do nothing;
    select s.salt into salt from private.view_salts s where s.day = today;
  end if;
  insert into private.view_readers (day, reader)
  values (today, sha256(salt || convert_to(concat_ws(E'\n', post, reader_address, user_agent), 'UTF8')))
  on conflict on constraint view_readers_pkey do nothing;
  if not found then return false; end if;
  insert into public.daily_views as d (post_id, day, views, workspace_id)
  values (post, today, 1, (select p.workspace_id from public.posts p where p.id = post))
  on conflict on constraint daily_views_pkey do update set views = d.views + 1;
  return true;
end $$;
grant execute on function private.count_view(text, text, text, text) to anon, service_role;

-- Views of the last 30 days by post, most viewed first; empty without the analytics add-on.
create function public.post_views(workspace_id uuid) returns table (post_id uuid, views bigint)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  asked constant uuid := post_views.workspace_id;
begin
  perform private.require_role(asked);
  return query
    select d.post_id, sum(d.views) from public.daily_views d
    where d.workspace_id = asked and d.day > (now() at time zone 'utc')::date - 30
    group by d.post_id order by 2 desc, 1;
end $$;
revoke all on function public.post_views(uuid) from public, anon;
grant execute on function public.post_views(uuid) to authenticated, service_role;
