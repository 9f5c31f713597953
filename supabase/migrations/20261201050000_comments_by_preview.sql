-- What somebody with a link says, with the network that says it counted: private.comment_by_preview (88-comments) checks the rest, and refuses with
-- not_found what opens nothing. `wait` > 0: nothing was written.
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
  end if;
  return next;
end $$;
grant execute on function private.say_by_preview(text, bytea, text, text, text, text, int, int) to anon, authenticated, service_role;
