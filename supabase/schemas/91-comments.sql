-- Comments in threads, on a block or the whole post. Members read, writers write, by the calls below; visitors comment by a preview link that allows
-- it (89-preview-links). Names beside ids: comments outlive accounts.

create table private.comment_threads (
  id uuid constraint comment_threads_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint comment_threads_workspace_id_fkey references public.workspaces (id) on delete cascade,
  post_id uuid not null constraint comment_threads_post_id_fkey references public.posts (id) on delete cascade,
  block_id text collate "C" constraint comment_threads_block_id_shape check (block_id ~ '^[A-Za-z0-9_-]{1,64}$'), -- null: the whole post
  quote text not null constraint comment_threads_quote_length check (char_length(quote) <= {{quoteMaxLength}}), -- the block's text then
  by_visitor boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  resolved_at timestamptz,
  resolved_by_name text,
  constraint comment_threads_resolved_by_somebody check ((resolved_at is null) = (resolved_by_name is null))
);
create index comment_threads_of_post on private.comment_threads (post_id, created_at, id);
create index comment_threads_of_workspace on private.comment_threads (workspace_id, id);

create table private.comments (
  id uuid constraint comments_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint comments_workspace_id_fkey references public.workspaces (id) on delete cascade,
  thread_id uuid not null constraint comments_thread_id_fkey references private.comment_threads (id) on delete cascade,
  user_id uuid, -- null: a visitor
  name text not null constraint comments_name_length check (char_length(name) between 1 and 200),
  text text not null constraint comments_text_length check (char_length(text) between 1 and {{commentMaxLength}}),
  mentions jsonb not null default '[]' constraint comments_mentions_are_a_list check (jsonb_typeof(mentions) = 'array'), -- [{user_id, name}]
  created_at timestamptz not null default clock_timestamp(),
  edited_at timestamptz
);
create index comments_of_thread on private.comments (thread_id, created_at, id);
create index comments_of_workspace on private.comments (workspace_id, id);

-- Shape: contract/comments.ts, with present names and avatars.
create function private.thread_json(t private.comment_threads) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return jsonb_build_object('id', t.id, 'block_id', t.block_id, 'quote', t.quote, 'created_at', t.created_at, 'resolved_at', t.resolved_at,
    'resolved_by_name', t.resolved_by_name, 'comments', (
      select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'user_id', c.user_id, 'name', coalesce(nullif(btrim(p.full_name), ''), c.name),
        'avatar_url', p.avatar_url, 'text', c.text, 'mentions', c.mentions, 'created_at', c.created_at, 'edited_at', c.edited_at)
        order by c.created_at, c.id), '[]')
      from private.comments c left join public.profiles p on p.user_id = c.user_id where c.thread_id = t.id
    ));
end $$;

create function public.post_threads(post_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role((select p.workspace_id from public.posts p where p.id = post_threads.post_id));
  return coalesce((
    select jsonb_agg(private.thread_json(t) order by t.created_at, t.id) from private.comment_threads t where t.post_id = post_threads.post_id
  ), '[]');
end $$;

create function private.require_thread(post uuid, thread uuid) returns private.comment_threads
language plpgsql security definer set search_path = '' as $$
declare
  found_one private.comment_threads;
begin
  select t.* into found_one from private.comment_threads t where t.id = thread and t.post_id = post;
  if found_one.id is null then perform private.refuse('not_found'); end if;
  return found_one;
end $$;

create function private.comment_text(text text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  said constant text := btrim(replace(replace(coalesce(text, ''), E'\r\n', E'\n'), E'\r', E'\n'), E' \t\n\u00a0\ufeff');
begin
  if said = '' then perform private.refuse('validation_failed', '{"text": "Please write a comment"}'); end if;
  if char_length(said) > {{commentMaxLength}} then
    perform private.refuse('validation_failed', '{"text": "A comment can have at most {{figure:commentMaxLength}} characters"}');
  end if;
  return said;
end $$;

-- Mentioned members: [{user_id, name}].
create function private.mentioned(workspace uuid, people uuid[]) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if cardinality(people) > {{mentionsPerComment}} then
    perform private.refuse('validation_failed', '{"mentions": "A comment can mention at most {{mentionsPerComment}} people"}');
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object('user_id', p.user_id, 'name', p.full_name) order by p.full_name, p.user_id), '[]')
    from public.members m join public.profiles p on p.user_id = m.user_id
    where m.workspace_id = workspace and m.user_id = any (people) and btrim(p.full_name) <> ''
  );
end $$;

-- Adds to a thread, or begins one, within the limits: all comments of a post are one response. Without `person`: a visitor's.
create function private.insert_comment(
  post public.posts, thread uuid, person uuid, name text, said text, mentions jsonb, block_id text, quote text
) returns private.comments
language plpgsql security definer set search_path = '' as $$
declare
  made private.comments;
begin
  if thread is null and 500 <= (select count(*) from private.comment_threads t where t.post_id = post.id) then
    perform private.refuse('validation_failed', '{"text": "This post has 500 threads. Please delete some first."}');
  end if;
  if 200 <= (select count(*) from private.comments c where c.thread_id = thread) then
    perform private.refuse('validation_failed', '{"text": "This thread has 200 comments. Start another one."}');
  end if;
  if 2000 <= (
    select count(*) from private.comment_threads t join private.comments c on c.thread_id = t.id where t.post_id = post.id
  ) then perform private.refuse('validation_failed', '{"text": "This post has 2,000 comments. Please delete some first."}'); end if;
  if 500000 < char_length(said) + (
    select coalesce(sum(char_length(c.text)), 0) from private.comment_threads t join private.comments c on c.thread_id = t.id where t.post_id = post.id
  ) then perform private.refuse('validation_failed', '{"text": "The comments on this post have reached their maximum length. Delete some first."}'); end if;
  if thread is null then
    insert into private.comment_threads (workspace_id, post_id, block_id, quote, by_visitor)
    values (post.workspace_id, post.id, insert_comment.block_id, left(private.clean_line(coalesce(insert_comment.quote, '')), {{quoteMaxLength}}),
      person is null)
    returning id into thread;
  end if;
  insert into private.comments (workspace_id, thread_id, user_id, name, text, mentions)
  values (post.workspace_id, thread, person, left(insert_comment.name, 200), said, insert_comment.mentions) returning * into made;
  return made;
end $$;

create function private.text_of_block(content jsonb, block_id text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return (
    select coalesce(case when jsonb_typeof(b.block -> 'data') = 'object' then private.text_of(b.block -> 'data') end, '')
    from jsonb_array_elements(private.as_list(content -> 'blocks')) as b (block)
    where b.block ->> 'id' = text_of_block.block_id limit 1
  );
end $$;

create function private.email_mentioned(post public.posts, said private.comments, before jsonb default '[]') returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.enqueue_member_email(post.workspace_id, 'mentioned', (m.person ->> 'user_id')::uuid, jsonb_build_object(
    'subject', said.thread_id, 'thread_id', said.thread_id, 'comment_id', said.id, 'post_id', post.id, 'title', post.title, 'by', said.name,
    'text', said.text))
  from jsonb_array_elements(said.mentions) as m (person)
  where (m.person ->> 'user_id')::uuid is distinct from said.user_id
    and not exists (select from jsonb_array_elements(before) as b (person) where b.person ->> 'user_id' = m.person ->> 'user_id');
end $$;

-- Updates a waiting email: no longer sent for a deleted comment or removed mention, unless another comment of the thread mentions the member.
create function private.update_mention_emails() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  untold private.deliveries;
  other private.comments;
begin
  for untold in
    delete from private.deliveries d
    where d.target_id in (select (m.person ->> 'user_id')::uuid from jsonb_array_elements(old.mentions) as m (person))
      and d.kind = 'mentioned' and d.state = 'waiting' and d.data ->> 'comment_id' = old.id::text
      and (tg_op = 'DELETE' or not exists (
        select from jsonb_array_elements(new.mentions) as m (person) where m.person ->> 'user_id' = d.target_id::text))
    returning d.*
  loop
    select c.* into other from private.comments c
    where c.thread_id = old.thread_id and c.id <> old.id and c.user_id is distinct from untold.target_id
      and c.mentions @> jsonb_build_array(jsonb_build_object('user_id', untold.target_id))
      and coalesce(c.edited_at, c.created_at) >= untold.created_at
    order by c.created_at desc, c.id desc limit 1;
    if other.id is not null then
      perform private.enqueue_member_email(untold.workspace_id, 'mentioned', untold.target_id,
        untold.data || jsonb_build_object('comment_id', other.id, 'by', other.name, 'text', other.text));
    end if;
  end loop;
  if tg_op = 'UPDATE' then
    update private.deliveries d set data = d.data || jsonb_build_object('text', new.text)
    where d.target_id in (select (m.person ->> 'user_id')::uuid from jsonb_array_elements(new.mentions) as m (person))
      and d.kind = 'mentioned' and d.state = 'waiting' and d.data ->> 'comment_id' = new.id::text;
  end if;
  return null;
end $$;
create trigger comments_retell_mentioned after delete or update of text, mentions on private.comments
for each row when (old.mentions <> '[]') execute function private.update_mention_emails();

-- Adds to a thread and reopens it; without `thread_id`, begins one, at a block if named. `quote`: the text of a block that isn't saved yet.
create function public.add_comment(
  post_id uuid, text text, thread_id uuid default null, block_id text default null, mentions uuid[] default '{}', quote text default null,
  idempotency_key text default null
) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  post constant public.posts := private.lock_post(post_id, '{owner,admin,editor}', true);
  said constant text := private.comment_text(text);
  earlier jsonb;
  made private.comments;
begin
  earlier := private.claim_request(idempotency_key, jsonb_build_array('add_comment', post_id, thread_id, block_id, text, mentions)::text);
  if earlier is not null then
    perform private.require_role((earlier ->> 'workspace_id')::uuid, '{owner,admin,editor}');
    return private.thread_json(private.require_thread((earlier ->> 'id')::uuid, (earlier ->> 'thread_id')::uuid));
  end if;
  if thread_id is not null then
    perform private.require_thread(post_id, thread_id);
    update private.comment_threads t set resolved_at = null, resolved_by_name = null where t.id = thread_id;
  elsif block_id !~ '^[A-Za-z0-9_-]{1,64}$' then
    perform private.refuse('validation_failed', '{"block_id": "This is not a valid id"}');
  end if;
  made := private.insert_comment(post, thread_id, private.my_id(), coalesce(private.my_name(), 'Someone'), said,
    private.mentioned(post.workspace_id, mentions), block_id,
    coalesce(private.text_of_block(post.content_raw, block_id), case when block_id is not null then quote end));
  perform private.email_mentioned(post, made);
  perform private.announce(post.workspace_id, 'comments-changed', jsonb_build_object('post_id', post.id));
  perform private.settle_request(idempotency_key, jsonb_build_object('workspace_id', post.workspace_id, 'id', post.id, 'thread_id', made.thread_id));
  return private.thread_json(private.require_thread(post_id, made.thread_id));
end $$;

create function public.settle_thread(post_id uuid, thread_id uuid, resolved boolean) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  post constant public.posts := private.lock_post(post_id, '{owner,admin,editor}', true);
  thread private.comment_threads := private.require_thread(post_id, thread_id);
begin
  if resolved is null then perform private.refuse('validation_failed', '{"resolved": "Send true or false"}'); end if;
  if resolved <> (thread.resolved_at is not null) then
    update private.comment_threads t set resolved_at = case when resolved then clock_timestamp() end,
      resolved_by_name = case when resolved then left(coalesce(private.my_name(), 'Someone'), 200) end
    where t.id = thread.id returning t.* into thread;
    perform private.announce(post.workspace_id, 'comments-changed', jsonb_build_object('post_id', post.id));
  end if;
  return private.thread_json(thread);
end $$;

-- One's own. Emails new mentions.
create function public.change_comment(post_id uuid, thread_id uuid, comment_id uuid, text text, mentions uuid[] default '{}') returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  post constant public.posts := private.lock_post(post_id, '{owner,admin,editor}', true);
  said constant text := private.comment_text(text);
  thread constant private.comment_threads := private.require_thread(post_id, thread_id);
  was private.comments;
  becomes private.comments;
begin
  select c.* into was from private.comments c where c.id = comment_id and c.thread_id = thread.id;
  if was.id is null then perform private.refuse('not_found'); end if;
  if was.user_id is distinct from private.my_id() then perform private.refuse('forbidden'); end if;
  update private.comments c set text = said, mentions = private.mentioned(post.workspace_id, change_comment.mentions),
    edited_at = case when c.text = said then c.edited_at else clock_timestamp() end
  where c.id = was.id returning c.* into becomes;
  perform private.email_mentioned(post, becomes, was.mentions);
  perform private.announce(post.workspace_id, 'comments-changed', jsonb_build_object('post_id', post.id));
  return private.thread_json(thread);
end $$;

-- One's own; for owners and admins any. Deletes an empty thread.
create function public.remove_comment(post_id uuid, thread_id uuid, comment_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  post constant public.posts := private.lock_post(post_id, '{owner,admin,editor}', true);
  thread constant private.comment_threads := private.require_thread(post_id, thread_id);
  gone private.comments;
begin
  select c.* into gone from private.comments c where c.id = comment_id and c.thread_id = thread.id;
  if gone.id is null then perform private.refuse('not_found'); end if;
  if gone.user_id is distinct from private.my_id() then perform private.require_role(post.workspace_id, '{owner,admin}'); end if;
  delete from private.comments c where c.id = gone.id;
  delete from private.comment_threads t where t.id = thread.id and not exists (select from private.comments c where c.thread_id = t.id);
  perform private.announce(post.workspace_id, 'comments-changed', jsonb_build_object('post_id', post.id));
end $$;

grant execute on function public.post_threads, public.add_comment, public.settle_thread, public.change_comment,
  public.remove_comment to authenticated, service_role;
