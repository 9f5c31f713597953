-- A workspace's writing guidelines for assistants (contract/house-style.ts). Members read them, owners and admins write them.
create table public.house_styles (
  workspace_id uuid constraint house_styles_pkey primary key
    constraint house_styles_workspace_id_fkey references public.workspaces (id) on delete cascade,
  text text not null constraint house_styles_text_length check (char_length(text) <= {{houseStyleMaxLength}}), -- "": removed
  updated_by uuid,
  updated_by_name text,
  updated_at timestamptz not null default clock_timestamp()
);

create policy "members read their workspace's house style" on public.house_styles for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
grant select on public.house_styles to authenticated;

-- An unchanged text isn't audited and keeps its author.
create function public.save_house_style(workspace_id uuid, text text) returns public.house_styles
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := save_house_style.workspace_id;
  said constant text := btrim(replace(replace(coalesce(save_house_style.text, ''), E'\r\n', E'\n'), E'\r', E'\n'), E' \t\n\u00a0\ufeff');
  present public.house_styles;
  saved public.house_styles;
begin
  perform private.require_role(asked, '{owner,admin}');
  if char_length(said) > {{houseStyleMaxLength}} then perform private.refuse('validation_failed', '{"text": "Please use at most {{figure:houseStyleMaxLength}} characters"}'); end if;
  perform pg_advisory_xact_lock(hashtextextended('house style/' || asked, 0)); -- serialised
  select h.* into present from public.house_styles h where h.workspace_id = asked;
  if present.text is not distinct from said then return present; end if;
  insert into public.house_styles as h (workspace_id, text, updated_by, updated_by_name) values (asked, said, auth.uid(), private.my_name())
  on conflict on constraint house_styles_pkey do update set text = excluded.text, updated_by = excluded.updated_by,
    updated_by_name = excluded.updated_by_name, updated_at = clock_timestamp()
  returning h.* into saved;
  perform private.audit(asked, 'house_style_changed', null, null,
    jsonb_build_object('characters', jsonb_build_array(char_length(coalesce(present.text, '')), char_length(said))));
  return saved;
end $$;

-- Context before drafting: {"workspace", "language", "house_style", "tags", "carried", "published", "more_published", "unpublished",
-- "more_unpublished"}. Posts since a date, at most 50, else the last 20; the next 20 scheduled and the 30 drafts edited last.
create function public.release_notes_context(workspace_id uuid, since timestamptz default null) returns json
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  asked constant uuid := release_notes_context.workspace_id;
  most constant int := case when since is null then 20 else 50 end;
  out_ids uuid[];
  scheduled_ids uuid[];
  draft_ids uuid[];
  tags json;
begin
  perform private.require_role(asked);
  tags := public.list_tags(asked);
  -- One more than shown. Worded to match posts_public, posts_upcoming, posts_by_status.
  out_ids := array(
    select p.id from public.posts p
    where p.workspace_id = asked and p.status in ('published', 'scheduled') and (p.status = 'published' or p.publish_at <= now())
      and p.details -> 'audience' is null
      and coalesce(p.published_at, p.publish_at) >= coalesce(since, '-infinity')
    order by coalesce(p.published_at, p.publish_at) desc, p.id desc limit most + 1
  );
  scheduled_ids := array(
    select p.id from public.posts p where p.workspace_id = asked and p.status = 'scheduled' and p.publish_at > now() order by p.publish_at, p.id limit 21
  );
  draft_ids := array(
    select p.id from public.posts p where p.workspace_id = asked and p.status = 'draft' order by p.updated_at desc, p.id desc limit 31
  );
  return json_build_object(
    'workspace', public.workspace_address(asked),
    'language', coalesce((select a.settings ->> 'locale' from public.appearances a where a.workspace_id = asked), 'en'),
    'house_style', (select nullif(h.text, '') from public.house_styles h where h.workspace_id = asked),
    'tags', tags -> 'tags',
    'carried', tags -> 'carried',
    'published', coalesce((
      select json_agg(l order by l.place) from (
        select f.place, p.id, p.title, p.slug, coalesce(p.summary, p.excerpt) as summary, p.tags, coalesce(p.published_at, p.publish_at) as published_at
        from unnest(out_ids[:most]) with ordinality as f (id, place) join public.posts p on p.id = f.id
      ) as l), '[]'),
    'more_published', cardinality(out_ids) > most,
    'unpublished', coalesce((
      select json_agg(l order by l.place) from (
        select f.place, p.id, p.external_id, p.title, coalesce(p.summary, p.excerpt) as summary, p.tags, p.status, p.publish_at, p.updated_at, p.version
        from unnest(scheduled_ids[:20] || draft_ids[:30]) with ordinality as f (id, place) join public.posts p on p.id = f.id
      ) as l), '[]'),
    'more_unpublished', cardinality(scheduled_ids) > 20 or cardinality(draft_ids) > 30
  );
end $$;

grant execute on function public.save_house_style, public.release_notes_context to authenticated, service_role;
