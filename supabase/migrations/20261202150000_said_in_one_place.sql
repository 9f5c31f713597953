-- Nothing that anybody sees: what readers see of a post is said in one place, and so are some other things that stood in two.

create or replace function private.reads_differently(before public.posts, after public.posts) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return (before.title, before.summary, before.cover_image, before.author_id, before.author_name, before.content_raw, before.slug)
      is distinct from (after.title, after.summary, after.cover_image, after.author_id, after.author_name, after.content_raw, after.slug)
    or before.tags <> after.tags and coalesce(current_setting('tidings.tag_from', true), '') = '';
end $$;

create or replace function private.keep_posts_from_keys() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.key_id() is null then return null; end if;
  if 'published' in (old.status, new.status) or 'scheduled' in (old.status, new.status) then
    if old.* is distinct from new.* and not private.key_has('posts:publish') then
      perform private.refuse('scope_missing', '{"scope": "posts:publish"}');
    end if;
  end if;
  if private.reads_differently(old, new) and not private.key_has('posts:write') then
    perform private.refuse('scope_missing', '{"scope": "posts:write"}');
  end if;
  return null;
end $$;

create function private.page_of_export(workspace uuid, part text, after text) returns json
language plpgsql set search_path = '' as $$
declare
  page record;
begin
  select * into page from private.export_page(workspace, part, convert_from(decode(after, 'hex'), 'UTF8')::jsonb);
  if page.next is not null then
    perform set_config('response.headers',
      jsonb_build_array(jsonb_build_object('x-next-rows', encode(convert_to(page.next::text, 'UTF8'), 'hex')))::text, true);
  end if;
  return ('[' || page.lines || ']')::json;
end $$;

create or replace function public.export_rows(workspace_id uuid, part text, after text default null) returns json
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_role(workspace_id, '{owner}');
  perform private.audit_export(workspace_id, 'workspace_exported', part = 'workspace' and after is null);
  return private.page_of_export(workspace_id, part, after);
end $$;

create or replace function public.backup_rows(run uuid, attempt int, part text, after text default null) returns json
language plpgsql security definer set search_path = '' as $$
declare
  workspace constant uuid := private.held_run(run, backup_rows.attempt);
begin
  if workspace is null then perform private.refuse('not_found'); end if;
  return private.page_of_export(workspace, part, after);
end $$;

create function private.stamp() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.updated_at := clock_timestamp();
  return new;
end $$;

create or replace trigger widget_settings_are_stamped before insert or update on public.widget_settings
for each row execute function private.stamp();
create or replace trigger appearances_are_stamped before insert or update on public.appearances
for each row execute function private.stamp();
drop function private.stamp_widget_settings(), private.stamp_appearance();

create function private.tags_without(tags text[], gone text, present text) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return (
    select coalesce(array_agg(t.key order by t.place), '{}')
    from (
      select case when given.key = gone then present else given.key end as key, min(given.place) as place
      from unnest(tags) with ordinality as given (key, place)
      where given.key <> gone or present is not null group by 1
    ) as t
  );
end $$;

create or replace function private.retag_post() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.tags := private.tags_without(old.tags, current_setting('tidings.tag_from'), nullif(current_setting('tidings.tag_to'), ''));
  -- The beginning of the text as private.tidy_post made it; where that was otherwise, all of it anew.
  new.search_text := case
    when starts_with(old.search_text, private.search_words(old.title || ' ' || array_to_string(old.tags, ' '))) then
      private.search_words(new.title || ' ' || array_to_string(new.tags, ' '))
      || substr(old.search_text, char_length(private.search_words(old.title || ' ' || array_to_string(old.tags, ' '))) + 1)
    else private.search_words(new.title || ' ' || array_to_string(new.tags, ' ') || ' ' || left(private.blocks_text(new.content_raw), 100000))
  end;
  return new;
end $$;

create or replace function private.retag_subscribers(workspace uuid, from_key text, to_key text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  update public.subscribers s set tags = private.tags_without(s.tags, from_key, to_key)
  where s.workspace_id = workspace and s.tags @> array[from_key];
end $$;

create function private.say(post public.posts, thread private.comment_threads, said text, mentions uuid[], request_key text) returns jsonb
language plpgsql set search_path = '' as $$
begin
  perform private.tell_mentioned(post, private.put_comment(post, thread, private.my_id(), coalesce(private.my_name(), 'Someone'), said,
    private.mentioned(post.workspace_id, mentions)));
  perform private.announce_comments(post);
  if request_key is not null then
    perform private.settle_request(request_key, jsonb_build_object('workspace_id', post.workspace_id, 'id', post.id, 'thread_id', thread.id));
  end if;
  return private.shown_thread(thread);
end $$;

create or replace function public.begin_thread(
  post_id uuid, text text, block_id text default null, mentions uuid[] default '{}', quote text default null, idempotency_key text default null
) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  post constant public.posts := private.require_commenter(post_id);
  said constant text := private.comment_text(text);
  earlier jsonb;
  thread private.comment_threads;
begin
  earlier := private.earlier_thread(idempotency_key, jsonb_build_array('begin_thread', post_id, block_id, text, mentions)::text);
  if earlier is not null then return earlier; end if;
  if block_id !~ '^[A-Za-z0-9_-]{1,64}$' then perform private.refuse('validation_failed', '{"block_id": "This is not a valid id"}'); end if;
  thread := private.put_thread(post, block_id, coalesce(private.words_of_block(post.content_raw, block_id), case when block_id is not null then quote end), false);
  return private.say(post, thread, said, mentions, idempotency_key);
end $$;

create or replace function public.add_comment(post_id uuid, thread_id uuid, text text, mentions uuid[] default '{}', idempotency_key text default null)
returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  post constant public.posts := private.require_commenter(post_id);
  said constant text := private.comment_text(text);
  earlier jsonb;
  thread private.comment_threads;
begin
  earlier := private.earlier_thread(idempotency_key, jsonb_build_array('add_comment', post_id, thread_id, text, mentions)::text);
  if earlier is not null then return earlier; end if;
  thread := private.require_thread(post_id, thread_id);
  update private.comment_threads t set resolved_at = null, resolved_by_name = null where t.id = thread.id returning t.* into thread;
  return private.say(post, thread, said, mentions, idempotency_key);
end $$;

create function private.schedule(name text, at text, what text) returns void
language plpgsql set search_path = '' as $$
begin
  if exists (select from pg_available_extensions e where e.name = 'pg_cron') then
    create extension if not exists pg_cron;
    perform cron.schedule(schedule.name, schedule.at, schedule.what);
  end if;
end $$;
