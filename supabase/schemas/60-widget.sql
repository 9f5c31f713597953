-- A workspace's widget settings in groups of optional fields (specification, section 3). Absent: the default. Unknown ones are refused.
create function private.widget_settings_are_valid(settings jsonb) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select jsonb_typeof(settings) = 'object'
    and not exists (
      select from jsonb_each(settings) as g (name, fields)
      where jsonb_typeof(g.fields) <> 'object' or not private.widget_setting_rules() ? g.name
    )
    and not exists (
      select from jsonb_each(settings) as g (name, fields), jsonb_each(case when jsonb_typeof(g.fields) = 'object' then g.fields else '{}' end) as f (name, value),
        lateral (select private.widget_setting_rules() #> array[g.name, f.name]) as r (rule)
      where f.value <> 'null' and case jsonb_typeof(r.rule)
        when 'array' then exists (select from jsonb_array_elements(r.rule) as a (allowed) where a.allowed = f.value)
        when 'string' then jsonb_typeof(f.value) = r.rule #>> '{}'
        when 'object' then case when jsonb_typeof(f.value) = 'number' then f.value::numeric between (r.rule ->> 'min')::numeric and (r.rule ->> 'max')::numeric
          and f.value::numeric % 1 = 0 end
      end is not true
    )
$$;

create table public.widget_settings (
  workspace_id uuid constraint widget_settings_pkey primary key
    constraint widget_settings_workspace_id_fkey references public.workspaces (id) on delete cascade,
  settings jsonb not null default '{}' constraint widget_settings_known check (private.widget_settings_are_valid(settings))
);

create trigger widget_settings_60_raise_public_version after insert or update or delete on public.widget_settings
for each row execute function private.public_frame_changed();
alter table public.widget_settings enable always trigger widget_settings_60_raise_public_version;

create policy "members read their widget's settings" on public.widget_settings for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
create policy "owners and admins make their widget's settings" on public.widget_settings for insert to authenticated
with check (workspace_id = any (array(select private.my_workspace_ids('{owner,admin}'))));
create policy "owners and admins change their widget's settings" on public.widget_settings for update to authenticated
using (workspace_id = any (array(select private.my_workspace_ids('{owner,admin}'))))
with check (workspace_id = any (array(select private.my_workspace_ids('{owner,admin}'))));

grant select, insert (workspace_id, settings), update (settings) on public.widget_settings to authenticated;

-- Merges the given fields; returns all settings.
create function public.save_widget_settings(workspace_id uuid, settings jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  given constant jsonb := settings;
  merged jsonb;
begin
  perform private.require_role(save_widget_settings.workspace_id, '{owner,admin}');
  if private.widget_settings_are_valid(given) is not true then
    perform private.refuse('validation_failed', '{"settings": "Please check the widget settings"}');
  end if;
  insert into public.widget_settings as w (workspace_id, settings) values (save_widget_settings.workspace_id, given)
  on conflict on constraint widget_settings_pkey do update set settings = w.settings || (
    select coalesce(jsonb_object_agg(g.name, coalesce(w.settings -> g.name, '{}') || g.fields), '{}') from jsonb_each(excluded.settings) as g (name, fields)
  )
  returning w.settings into merged;
  return merged;
end $$;

create table private.widget_sightings (
  workspace_id uuid constraint widget_sightings_pkey primary key
    constraint widget_sightings_workspace_id_fkey references public.workspaces (id) on delete cascade
);

-- Called by the public side for a request from `origin`.
create function private.record_widget_use(subdomain text, origin text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.widget_sightings (workspace_id)
  select w.id from public.workspaces w where w.id = private.open_workspace(record_widget_use.subdomain) and record_widget_use.origin = any (w.allowed_origins)
  on conflict on constraint widget_sightings_pkey do nothing;
end $$;

grant execute on function private.widget_setting_rules, private.widget_settings_are_valid,
  public.save_widget_settings to authenticated, service_role;
grant execute on function private.record_widget_use to anon, service_role;
