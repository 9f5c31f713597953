-- Validation errors by field, in the words of contract/appearance.ts. A test compares the lists.
create function private.appearance_faults(settings jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  choices constant jsonb := '{
    "theme": ["system", "light", "dark"],
    "layout": ["posts", "excerpts"],
    "font": ["inter", "geist", "source-serif", "system"],
    "date_format": ["long", "medium", "short", "iso"],
    "locale": ["en", "de", "fr", "es", "pt", "ja", "ar"],
    "branding": [true, false]
  }';
  faults jsonb := '{}';
  field record;
  link jsonb;
begin
  if jsonb_typeof(settings) is distinct from 'object' then return '{"settings": "Please check the appearance"}'; end if;
  for field in select s.key, s.value from jsonb_each(settings) as s loop
    if choices ? field.key then
      if not choices -> field.key @> jsonb_build_array(field.value) or jsonb_typeof(field.value) in ('array', 'object') then
        faults := faults || jsonb_build_object(field.key, 'Please choose from the list');
      end if;
    elsif field.key = 'accent' then
      if field.value <> 'null' and (jsonb_typeof(field.value) <> 'string' or field.value #>> '{}' !~ '^#[0-9a-f]{6}$') then
        faults := faults || '{"accent": "Please enter a colour as #rrggbb, e.g. #0b6b62"}';
      end if;
    elsif field.key = 'footer' then
      if jsonb_typeof(field.value) <> 'string' or char_length(field.value #>> '{}') > {{footerMaxLength}} or field.value #>> '{}' ~ '[[:cntrl:]]' then
        faults := faults || '{"footer": "Please use at most {{footerMaxLength}} characters"}';
      end if;
    elsif field.key = 'links' then
      if jsonb_typeof(field.value) <> 'array' or jsonb_array_length(field.value) > {{headerLinksMax}} then
        faults := faults || '{"links": "Please use at most {{headerLinksMax}} links"}';
        continue;
      end if;
      for link in select l.value from jsonb_array_elements(field.value) as l loop
        if jsonb_typeof(link) <> 'object' or link - '{label,url}'::text[] <> '{}'
          or jsonb_typeof(link -> 'label') is distinct from 'string' or char_length(link ->> 'label') not between 1 and 40
          or link ->> 'label' ~ '[[:cntrl:]]'
        then
          faults := faults || '{"links": "Please enter the link''s text"}';
        elsif jsonb_typeof(link -> 'url') is distinct from 'string' or char_length(link ->> 'url') > 2048
          or link ->> 'url' !~ '^(https?://[^/[:space:]]|mailto:[^[:space:]@]+@[^[:space:]@])' or link ->> 'url' ~ '[[:cntrl:]]'
        then
          faults := faults || '{"links": "Please enter a URL that starts with https://, http:// or mailto:"}';
        end if;
      end loop;
    else
      faults := faults || jsonb_build_object(field.key, 'There is no such setting');
    end if;
  end loop;
  return faults;
end $$;

-- The look of page, widget and emails. Absent: the contract's defaults.
create table public.appearances (
  workspace_id uuid constraint appearances_pkey primary key
    constraint appearances_workspace_id_fkey references public.workspaces (id) on delete cascade,
  settings jsonb not null default '{}' constraint appearances_known check (private.appearance_faults(settings) = '{}'),
  logo_dark_url text constraint appearances_logo_dark_url_shape check (logo_dark_url ~ '^(/[^/]|https?://)' and char_length(logo_dark_url) <= 2048),
  favicon_url text constraint appearances_favicon_url_shape check (favicon_url ~ '^(/[^/]|https?://)' and char_length(favicon_url) <= 2048)
);

create trigger appearances_60_raise_public_version after insert or update or delete on public.appearances
for each row execute function private.public_frame_changed();
alter table public.appearances enable always trigger appearances_60_raise_public_version;
create trigger appearances_discard_their_former_logo after update of logo_dark_url on public.appearances
for each row when (old.logo_dark_url is distinct from new.logo_dark_url)
execute function private.discard_former_file('logos', 'logo_dark_url', 'workspace_id');
create trigger appearances_discard_their_former_favicon after update of favicon_url on public.appearances
for each row when (old.favicon_url is distinct from new.favicon_url)
execute function private.discard_former_file('logos', 'favicon_url', 'workspace_id');

create policy "members read their workspace's look" on public.appearances for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
create policy "owners and admins make their workspace's look" on public.appearances for insert to authenticated
with check (workspace_id = any (array(select private.my_workspace_ids('{owner,admin}'))));
create policy "owners and admins change their workspace's look" on public.appearances for update to authenticated
using (workspace_id = any (array(select private.my_workspace_ids('{owner,admin}'))))
with check (workspace_id = any (array(select private.my_workspace_ids('{owner,admin}'))));

grant select, insert (workspace_id, settings, logo_dark_url, favicon_url), update (settings, logo_dark_url, favicon_url)
  on public.appearances to authenticated;

-- Merges the given fields; null removes an image. Returns the row.
create function public.save_appearance(workspace_id uuid, settings jsonb default '{}', pictures jsonb default '{}') returns public.appearances
language plpgsql set search_path = '' as $$
declare
  given constant jsonb := settings;
  faults constant jsonb := private.appearance_faults(given);
  saved public.appearances;
begin
  perform private.require_role(save_appearance.workspace_id, '{owner,admin}');
  if faults <> '{}' then perform private.refuse('validation_failed', faults); end if;
  insert into public.appearances as a (workspace_id, settings, logo_dark_url, favicon_url)
  values (save_appearance.workspace_id, given, pictures ->> 'logo_dark_url', pictures ->> 'favicon_url')
  on conflict on constraint appearances_pkey do update set
    settings = a.settings || excluded.settings,
    logo_dark_url = case when pictures ? 'logo_dark_url' then excluded.logo_dark_url else a.logo_dark_url end,
    favicon_url = case when pictures ? 'favicon_url' then excluded.favicon_url else a.favicon_url end
  returning a.* into saved;
  return saved;
end $$;

grant execute on function private.appearance_faults, public.save_appearance to authenticated, service_role;
