-- The link of a visitor's thread (91-comments): only visitors with the same link see it.
create table private.preview_threads (
  thread_id uuid constraint preview_threads_pkey primary key
    constraint preview_threads_thread_id_fkey references private.comment_threads (id) on delete cascade,
  preview_id uuid not null constraint preview_threads_preview_id_fkey references private.post_previews (id) on delete cascade
);
create index preview_threads_of_preview on private.preview_threads (preview_id);

-- A visitor's comment by a link that allows it. `wait` > 0: rate-limited. At most a hundred of a post, to leave room for writers.
create function private.create_preview_comment(
  subdomain text, token_hash bytea, name text, body text, block_id text, network text, size int, period_seconds int
) returns table (wait int, thread uuid)
language plpgsql security definer set search_path = '' as $$
declare
  link private.post_previews := private.open_preview(token_hash);
  who constant text := private.clean_line(coalesce(name, ''));
  said text;
  post public.posts;
  words text;
begin
  if not exists (
    select from public.posts p join public.workspaces w on w.id = p.workspace_id
    where p.id = link.post_id and w.subdomain operator (extensions.=) create_preview_comment.subdomain::extensions.citext
  ) then perform private.refuse('not_found'); end if;
  wait := public.take_token('previewComment.address', network, size, make_interval(secs => period_seconds));
  if wait > 0 then
    return next;
    return;
  end if;
  if link.allows_comments is not true then perform private.refuse('not_found'); end if;
  if who = '' then perform private.refuse('validation_failed', '{"name": "Please enter your name"}'); end if;
  if char_length(who) > 120 then perform private.refuse('validation_failed', '{"name": "Please use at most 120 characters"}'); end if;
  said := private.comment_text(body);
  perform pg_advisory_xact_lock(hashtextextended('comments/' || link.post_id, 0));
  select p.* into post from public.posts p where p.id = link.post_id for key share;
  link := private.open_preview(token_hash); -- may be revoked by now
  if post.id is null or link.allows_comments is not true then perform private.refuse('not_found'); end if;
  if 100 <= (
    select count(*) from private.comment_threads t join private.comments c on c.thread_id = t.id where t.post_id = post.id and c.user_id is null
  ) then
    perform private.refuse('validation_failed', '{"text": "This draft can''t have more comments. Tell the person who sent you the link."}');
  end if;
  words := private.text_of_block(post.content_raw, block_id);
  thread := (private.insert_comment(post, null, null, who, said, '[]', case when words is not null then block_id end, words)).thread_id;
  -- The link may have been revoked meanwhile.
  insert into private.preview_threads (thread_id, preview_id) select thread, v.id from private.post_previews v where v.id = link.id for key share;
  perform private.announce(post.workspace_id, 'comments-changed', jsonb_build_object('post_id', post.id));
  return next;
end $$;

-- Open threads of visitors with this link, and answers: [{id, block_id, created_at, comments: [{name, visitor, text, created_at}]}].
create function private.preview_link_threads(token_hash bytea) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  link constant private.post_previews := private.open_preview(token_hash);
begin
  if link.allows_comments is not true then return '[]'; end if;
  return coalesce((
    select jsonb_agg(jsonb_build_object('id', t.id, 'block_id', t.block_id, 'created_at', t.created_at, 'comments', (
      select jsonb_agg(jsonb_build_object('name', c.name, 'visitor', c.user_id is null, 'text', c.text, 'created_at', c.created_at)
        order by c.created_at, c.id)
      from private.comments c where c.thread_id = t.id
    )) order by t.created_at, t.id)
    from private.preview_threads o join private.comment_threads t on t.id = o.thread_id
    where o.preview_id = link.id and t.resolved_at is null
  ), '[]');
end $$;

grant execute on function private.create_preview_comment, private.preview_link_threads to anon, authenticated, service_role;
