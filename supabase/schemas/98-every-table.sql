-- Applied to every table, so that a new one is closed until its own file opens it: row-level security, and the rights of API keys
-- (72-api-keys). tests/database/330-catalog lists the exceptions.
do $$
declare
  -- Keys see these in their own workspace only, and nothing of the others, whatever other policies allow.
  seen_by_keys constant text[] := '{posts,post_slugs,post_revisions,tags,workspaces,workspace_add_ons,daily_counts}';
  -- Keys' calls write these, also by triggers. workspaces has a trigger of its own.
  written_by_keys constant text[] := '{posts,post_slugs,post_revisions,post_redirects,tags,activities,daily_counts,subscribers,workspaces}';
  t record;
begin
  for t in
    select c.relname as name, c.oid::regclass as path, c.relnamespace = 'public'::regnamespace as is_public from pg_class c
    where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
  loop
    execute format('alter table %s enable row level security', t.path);
    continue when not t.is_public;
    if t.name <> 'api_keys' then execute format('grant select, insert, update, delete on %s to service_role', t.path); end if;
    if t.name = any (seen_by_keys) then
      execute format('create policy "keys stay in their workspace" on %s as restrictive for all to authenticated
        using ((select private.key_workspace()) is null or %I = (select private.key_workspace()))',
        t.path, case t.name when 'workspaces' then 'id' else 'workspace_id' end);
    else
      execute format('create policy "keys see nothing of this" on %s as restrictive for all to authenticated
        using ((select private.key_workspace()) is null)', t.path);
    end if;
    if t.name <> all (written_by_keys) then
      execute format('create trigger %I before insert or update or delete on %s for each statement execute function private.refuse_keys()',
        t.name || '_15_key', t.path);
    end if;
  end loop;
end $$;
