-- The tags a workspace offers beside the four every workspace has (specification, section 3). Posts carry keys; a row
-- here says how a key is shown. A tag whose key is a default one is ignored, not refused.
create table public.tags (
  workspace_id uuid not null constraint tags_workspace_id_fkey references public.workspaces (id) on delete cascade,
  key text not null constraint tags_key_shape check (key = lower(key) and key ~ '^\S+$' and char_length(key) <= 40),
  label text not null constraint tags_label_length check (char_length(label) between 1 and 40),
  colour text not null default 'blue'
    constraint tags_colour_known check (colour in ('blue', 'green', 'red', 'purple', 'orange', 'gray')),
  created_by uuid,
  created_at timestamptz not null default now(),
  constraint tags_pkey primary key (workspace_id, key)
);
alter table public.tags enable row level security;

create type public.tag as (key text, label text, colour text);

-- Those of contract/tags.ts; a test compares them.
create function private.default_tags() returns setof public.tag
language sql immutable parallel safe set search_path = '' as $$
  values ('feature', 'Feature', 'green'), ('improvement', 'Improvement', 'blue'), ('fix', 'Fix', 'orange'), ('docs', 'Documentation', 'purple')
$$;
grant execute on function private.default_tags() to authenticated, service_role;

-- The key is the label in small letters with hyphens for blanks.
create function private.tag_key(label text) returns text
language sql immutable strict parallel safe set search_path = '' as $$ select replace(lower(private.clean_line(label)), ' ', '-') $$;
grant execute on function private.tag_key(text) to authenticated, service_role;

create function private.tidy_tag() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.label := private.clean_line(new.label);
  if coalesce(new.label, '') = '' then perform private.refuse('validation_failed', '{"label": "A tag needs a name"}'); end if;
  if char_length(new.label) > 40 then perform private.refuse('validation_failed', '{"label": "A tag can have at most 40 characters"}'); end if;
  if tg_op = 'INSERT' then
    new.key := private.tag_key(new.label);
    new.created_by := auth.uid();
    if exists (select from private.default_tags() as d where d.key = new.key) then return null; end if;
  end if;
  return new;
end $$;
create trigger tags_are_tidy before insert or update on public.tags for each row execute function private.tidy_tag();

create policy "members read their workspace's tags" on public.tags for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
create policy "writers add tags" on public.tags for insert to authenticated
with check (workspace_id = any (array(select private.my_workspace_ids('{owner,admin,editor}'))));
create policy "writers change tags" on public.tags for update to authenticated
using (workspace_id = any (array(select private.my_workspace_ids('{owner,admin,editor}'))))
with check (workspace_id = any (array(select private.my_workspace_ids('{owner,admin,editor}'))));
create policy "writers delete tags" on public.tags for delete to authenticated
using (workspace_id = any (array(select private.my_workspace_ids('{owner,admin,editor}'))));

grant select, insert (workspace_id, label, colour), update (label, colour), delete on public.tags to authenticated;
grant select, insert, update, delete on public.tags to service_role;

-- The default tags, then the workspace's own by label.
create function public.list_tags(workspace_id uuid) returns setof public.tag
language plpgsql stable set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
begin
  perform private.require_role(asked);
  return query select d.key, d.label, d.colour from private.default_tags() as d;
  return query select t.key, t.label, t.colour from public.tags t where t.workspace_id = asked order by lower(t.label), t.key;
end $$;

-- The new tag; the one that is there already when its key is taken or a default one.
create function public.create_tag(workspace_id uuid, label text, colour text default 'blue') returns public.tag
language plpgsql set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  wanted constant text := private.tag_key(label);
  made public.tag;
begin
  perform private.require_role(asked, '{owner,admin,editor}');
  insert into public.tags (workspace_id, label, colour) values (asked, label, coalesce(colour, 'blue'))
  on conflict on constraint tags_pkey do nothing;
  select found_tag.key, found_tag.label, found_tag.colour into made from public.list_tags(asked) as found_tag where found_tag.key = wanted;
  return made;
end $$;
revoke all on function public.list_tags(uuid), public.create_tag(uuid, text, text) from public, anon;
grant execute on function public.list_tags(uuid), public.create_tag(uuid, text, text) to authenticated, service_role;
