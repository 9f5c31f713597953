-- Visitors' comments by preview link.

-- The link of a visitor's thread (91-comments): only visitors with the same link see it.
create table private.preview_threads (
  thread_id uuid constraint preview_threads_pkey primary key
    constraint preview_threads_thread_id_fkey references private.comment_threads (id) on delete cascade,
  preview_id uuid not null constraint preview_threads_preview_id_fkey references private.post_previews (id) on delete cascade
);
create index preview_threads_of_preview on private.preview_threads (preview_id); -- the page, the cascade

-- A visitor's comment, rate-limited by network; private.comment_by_preview checks the rest. `wait` > 0: nothing was written.
create function private.create_preview_comment(
  subdomain text, token_hash bytea, name text, body text, block_id text, network text, size int, period_seconds int
) returns table (wait int, thread uuid)
language plpgsql security definer set search_path = '' as $$
declare
  link constant private.post_previews := private.open_preview(create_preview_comment.token_hash);
begin
  if not exists (
    select from public.posts p join public.workspaces w on w.id = p.workspace_id
    where p.id = link.post_id and w.subdomain operator (extensions.=) create_preview_comment.subdomain::extensions.citext
  ) then perform private.refuse('not_found'); end if;
  wait := private.take_token('previewComment.address', create_preview_comment.network, create_preview_comment.size, make_interval(secs => create_preview_comment.period_seconds));
  if wait = 0 then
    thread := private.comment_by_preview(create_preview_comment.token_hash, create_preview_comment.name, create_preview_comment.body, create_preview_comment.block_id);
    -- The link may have been revoked meanwhile.
    insert into private.preview_threads (thread_id, preview_id)
    select create_preview_comment.thread, v.id from private.post_previews v where v.id = link.id for key share;
  end if;
  return next;
end $$;

-- Only this link's threads.
create function private.preview_link_threads(token_hash bytea) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  link constant private.post_previews := private.open_preview(preview_link_threads.token_hash);
begin
  return coalesce((
    select jsonb_agg(t.thread order by t.place)
    from jsonb_array_elements(private.preview_threads(preview_link_threads.token_hash)) with ordinality as t (thread, place)
    where exists (select from private.preview_threads o where o.preview_id = link.id and o.thread_id = (t.thread ->> 'id')::uuid)
  ), '[]');
end $$;

grant execute on function private.create_preview_comment, private.preview_link_threads to anon, authenticated, service_role;
