-- Templates of posts (contract/templates.ts). Members read, writers write, by the calls below, which enforce the limit and unique names.
create table public.templates (
  id uuid not null default gen_random_uuid() constraint templates_pkey primary key,
  workspace_id uuid not null constraint templates_workspace_id_fkey references public.workspaces (id) on delete cascade,
  name text not null constraint templates_name_length check (char_length(name) between 1 and {{templateNameMaxLength}}),
  title text not null default '' constraint templates_title_length check (char_length(title) <= {{titleMaxLength}}),
  summary text constraint templates_summary_length check (char_length(summary) between 1 and {{summaryMaxLength}}),
  tags text[] not null default '{}',
  content_raw jsonb not null constraint templates_content_is_blocks check (jsonb_typeof(content_raw -> 'blocks') = 'array'),
  updated_by uuid,
  updated_by_name text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create unique index templates_name on public.templates (workspace_id, lower(name));

create policy "members read their workspace's templates" on public.templates for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
grant select on public.templates to authenticated;

-- Like private.clean_post, but title and text are optional.
create function private.clean_template() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  wrong jsonb;
begin
  new.name := private.clean_line(new.name);
  new.title := coalesce(private.clean_line(new.title), '');
  new.summary := nullif(private.clean_line(new.summary), '');
  new.tags := private.clean_tags(new.tags);
  wrong := private.content_faults(new.title, new.summary, new.tags, coalesce(new.content_raw, '{}'));
  if coalesce(new.name, '') = '' then wrong := wrong || '{"name": "Please enter a name"}';
  elsif char_length(new.name) > {{templateNameMaxLength}} then wrong := wrong || '{"name": "Please use at most {{templateNameMaxLength}} characters"}'; end if;
  if wrong <> '{}' then perform private.refuse('validation_failed', wrong); end if;
  return new;
end $$;
create trigger templates_are_tidy before insert or update on public.templates for each row execute function private.clean_template();

-- Images a template shows are kept when their post is deleted (private.discard_images).
create table private.template_images (
  template_id uuid not null constraint template_images_template_id_fkey references public.templates (id) on delete cascade,
  path text collate "C" not null,
  constraint template_images_pkey primary key (template_id, path)
);
create index template_images_by_path on private.template_images (path);

-- Records a template's images. Unused ones are queued for deletion.
create function private.record_template_images() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  template constant uuid := coalesce(new.id, old.id);
  shown text[] := '{}';
begin
  if tg_op <> 'DELETE' then shown := array(select private.image_paths(new.content_raw, new.workspace_id));
  elsif not exists (select from public.workspaces w where w.id = old.workspace_id) then return old; end if; -- all its files are queued
  insert into private.discarded_files (bucket, path)
  select 'post-images', i.path from private.template_images i
  where i.template_id = template and i.path <> all (shown)
    and not exists (select from private.post_images p where p.path = i.path)
    and not exists (select from private.template_images o where o.path = i.path and o.template_id <> template)
  on conflict on constraint discarded_files_pkey do nothing;
  if tg_op = 'DELETE' then return old; end if;
  delete from private.template_images i where i.template_id = template and i.path <> all (shown);
  insert into private.template_images (template_id, path) select template, s.path from unnest(shown) as s (path)
  on conflict on constraint template_images_pkey do nothing;
  return null;
end $$;
create trigger templates_70_images after insert or update of content_raw on public.templates
for each row execute function private.record_template_images();
create trigger templates_70_discard_images before delete on public.templates for each row execute function private.record_template_images();

create function public.read_template(workspace_id uuid, template_id uuid) returns public.templates
language plpgsql stable security definer set search_path = '' as $$
declare
  answer public.templates;
begin
  perform private.require_role(workspace_id);
  select t.* into answer from public.templates t where t.id = template_id and t.workspace_id = read_template.workspace_id;
  if answer.id is null then perform private.refuse('not_found'); end if;
  answer.tags := private.tags_now(workspace_id, answer.tags);
  return answer;
end $$;

-- Creates a template, or changes the one with `template_id`.
create function public.save_template(
  workspace_id uuid, name text, content_raw jsonb, title text default '', summary text default null, tags text[] default '{}',
  template_id uuid default null
) returns public.templates
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  most constant int := 100;
  answer public.templates;
begin
  perform private.require_role(workspace_id, '{owner,admin,editor}');
  if template_id is not null then
    update public.templates t set name = name, title = title, summary = summary, tags = coalesce(tags, '{}'), content_raw = content_raw,
      updated_by = auth.uid(), updated_by_name = private.my_name(), updated_at = clock_timestamp()
    where t.id = template_id and t.workspace_id = save_template.workspace_id returning t.* into answer;
    if answer.id is null then perform private.refuse('not_found'); end if;
    return answer;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('templates/' || workspace_id, 0)); -- serialised for the limit
  if (select count(*) from public.templates t where t.workspace_id = save_template.workspace_id) >= most then
    perform private.refuse('too_many_templates');
  end if;
  insert into public.templates (workspace_id, name, title, summary, tags, content_raw, updated_by, updated_by_name)
  values (workspace_id, name, title, summary, coalesce(tags, '{}'), content_raw, auth.uid(), private.my_name())
  returning * into answer;
  return answer;
exception when unique_violation then
  perform private.refuse('template_name_taken');
end $$;

create function public.delete_template(workspace_id uuid, template_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_role(workspace_id, '{owner,admin,editor}');
  delete from public.templates t where t.id = template_id and t.workspace_id = delete_template.workspace_id;
  if not found then perform private.refuse('not_found'); end if;
end $$;

-- A draft with the post's content. Locks the post, so that its images aren't deleted before the copy shows them.
create function public.duplicate_post(post_id uuid, idempotency_key text default null) returns public.post_details
language plpgsql set search_path = '' as $$
declare
  suffix constant text := ' (copy)';
  earlier jsonb;
  source public.posts;
  answer public.post_details;
begin
  earlier := private.claim_request(idempotency_key, jsonb_build_array('duplicate_post', post_id)::text);
  if earlier is not null then
    perform private.require_role((earlier ->> 'workspace_id')::uuid, '{owner,admin,editor}');
    return jsonb_populate_record(null::public.post_details, earlier);
  end if;
  select * into source from public.posts p where p.id = post_id for key share;
  if source.id is null then perform private.explain_refusal(post_id); end if;
  answer := public.create_post(
    workspace_id => source.workspace_id, content_raw => source.content_raw, tags => source.tags, summary => source.summary,
    cover_image => source.cover_image, autosaved => true,
    title => case when source.title = '' then '' else btrim(left(source.title, {{titleMaxLength}} - char_length(suffix))) || suffix end
  );
  if idempotency_key is not null then perform private.settle_request(idempotency_key, to_jsonb(answer)); end if;
  return answer;
end $$;

grant execute on function public.read_template, public.save_template, public.delete_template, public.duplicate_post
  to authenticated, service_role;
