-- What comes out without anybody looking at it again takes proposals, too: a key changes it no other way.
create or replace function public.waiting_for_me(workspace_id uuid) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  role constant public.member_role := private.require_role(asked);
  me constant uuid := private.my_id();
begin
  if role not in ('owner', 'admin') then return '{"reviews": [], "proposals": []}'; end if;
  return json_build_object(
    'reviews', coalesce((
      select json_agg(l.line order by l.asked_at, l.id) from (
        select r.id, r.asked_at, private.shown_review(r) || jsonb_build_object('title', p.title) as line
        from private.reviews r join public.posts p on p.id = r.post_id
        where r.workspace_id = asked and r.state = 'waiting' and r.asked_by <> me and p.updated_by is distinct from me
        order by r.asked_at, r.id limit 100
      ) as l), '[]'),
    'proposals', coalesce((
      select json_agg(l.line order by l.proposed_at, l.id) from (
        select q.id, q.proposed_at, private.listed_proposal(q) || jsonb_build_object('post_title', p.title) as line
        from private.proposals q join public.posts p on p.id = q.post_id
        where q.workspace_id = asked and q.state = 'waiting' and q.proposed_by <> me and p.status in ('published', 'scheduled')
        order by q.proposed_at, q.id limit 100
      ) as l), '[]'));
end $$;

create or replace function public.propose_change(post_id uuid, version int, content jsonb, note text default null, idempotency_key text default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  present public.posts;
  words constant text := private.tidy_note(note);
  earlier jsonb;
  tidied jsonb;
  made private.proposals;
begin
  earlier := private.claim_request(idempotency_key, jsonb_build_array('propose_change', post_id, version, content #- '{content_raw,time}', words)::text);
  if earlier is not null then
    select q.* into made from private.proposals q where q.id = (earlier ->> 'proposal_id')::uuid;
    if made.id is null then perform private.refuse('not_found'); end if;
    perform private.require_role(made.workspace_id, '{owner,admin,editor}');
    return private.shown_proposal(made);
  end if;
  present := private.hold_post(post_id, '{owner,admin,editor}');
  if present.status not in ('published', 'scheduled') then
    perform private.refuse('validation_failed', '{"version": "Only a post that is published or scheduled takes proposals"}');
  elsif version is null or version > present.version then perform private.explain_refusal(post_id); end if;
  select * into made from private.proposals q where q.post_id = post_id and q.proposed_by_key = private.key_id() and q.state = 'waiting' for update;
  if made.id is null and (select count(*) >= 20 from private.proposals q where q.post_id = post_id and q.state = 'waiting') then
    perform private.refuse('validation_failed', '{"note": "This post has 20 proposals that wait. Decide about one first."}');
  end if;
  tidied := private.tidy_proposal(present, content);
  delete from private.proposals q where q.post_id = post_id and q.decided_at < now() - interval '90 days'; -- nobody asks for them any more
  if made.id is not null then
    update private.proposals q set base_version = version, title = tidied ->> 'title', summary = tidied ->> 'summary',
      tags = private.text_array(tidied -> 'tags'), cover_image = nullif(tidied -> 'cover_image', 'null'), content_raw = tidied -> 'content_raw',
      note = words, proposed_at = clock_timestamp()
    where q.id = made.id returning * into made;
  else
    insert into private.proposals (workspace_id, post_id, base_version, title, summary, tags, cover_image, content_raw, note, proposed_by,
      proposed_by_name, proposed_by_key)
    values (present.workspace_id, post_id, version, tidied ->> 'title', tidied ->> 'summary', private.text_array(tidied -> 'tags'),
      nullif(tidied -> 'cover_image', 'null'), tidied -> 'content_raw', words, auth.uid(), private.asker_name(), private.key_id())
    returning * into made;
    perform private.record_activity(present.workspace_id, 'proposal_made', present.title, post_id);
    perform private.tell_approvers(present, array[made.proposed_by],
      jsonb_build_object('subject', made.id, 'by', made.proposed_by_name, 'text', words, 'proposal', made.id));
  end if;
  perform private.announce_reviews(present.workspace_id, post_id);
  if idempotency_key is not null then
    perform private.settle_request(idempotency_key, jsonb_build_object('proposal_id', made.id, 'workspace_id', made.workspace_id, 'id', post_id));
  end if;
  return private.shown_proposal(made);
end $$;
