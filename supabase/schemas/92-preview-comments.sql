-- Visitors' comments by preview link.

-- The link of a visitor's thread (91-comments): only visitors with the same link see it.
create table private.preview_threads (
  thread_id uuid constraint preview_threads_pkey primary key
    constraint preview_threads_thread_id_fkey references private.comment_threads (id) on delete cascade,
  preview_id uuid not null constraint preview_threads_preview_id_fkey references private.post_previews (id) on delete cascade
);
alter table private.preview_threads enable row level security;
create index preview_threads_of_preview on private.preview_threads (preview_id); -- the page, the cascade

-- A visitor's comment, rate-limited by network; private.comment_by_preview checks the rest. `wait` > 0: nothing was written.
create function private.say_by_preview(
  subdomain text, token_hash bytea, name text, body text, block_id text, network text, size int, period_seconds int
) returns table (wait int, thread uuid)
language plpgsql security definer set search_path = '' as $$
declare
  link constant private.post_previews := private.open_preview(say_by_preview.token_hash);
begin
  if not exists (
    select from public.posts p join public.workspaces w on w.id = p.workspace_id
    where p.id = link.post_id and w.subdomain operator (extensions.=) say_by_preview.subdomain::extensions.citext
  ) then perform private.refuse('not_found'); end if;
  wait := private.take_token('previewComment.address', say_by_preview.network, say_by_preview.size, make_interval(secs => say_by_preview.period_seconds));
  if wait = 0 then
    thread := private.comment_by_preview(say_by_preview.token_hash, say_by_preview.name, say_by_preview.body, say_by_preview.block_id);
    -- The link may have been revoked meanwhile.
    insert into private.preview_threads (thread_id, preview_id)
    select say_by_preview.thread, v.id from private.post_previews v where v.id = link.id for key share;
  end if;
  return next;
end $$;
grant execute on function private.say_by_preview(text, bytea, text, text, text, text, int, int) to anon, authenticated, service_role;

-- Only this link's threads.
create function private.threads_by_preview(token_hash bytea) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  link constant private.post_previews := private.open_preview(threads_by_preview.token_hash);
begin
  return coalesce((
    select jsonb_agg(t.thread order by t.place)
    from jsonb_array_elements(private.preview_threads(threads_by_preview.token_hash)) with ordinality as t (thread, place)
    where exists (select from private.preview_threads o where o.preview_id = link.id and o.thread_id = (t.thread ->> 'id')::uuid)
  ), '[]');
end $$;
grant execute on function private.threads_by_preview(bytea) to anon, authenticated, service_role;
