-- What a key proposes of a post that readers see: its maker, and any other key, cannot accept it.
alter table private.proposals add column proposed_by_key uuid;
-- squawk-ignore require-concurrent-index-creation
create unique index proposals_one_of_a_key_waits on private.proposals (post_id, proposed_by_key) where state = 'waiting';

create or replace function private.listed_proposal(p private.proposals) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('id', p.id, 'post_id', p.post_id, 'base_version', p.base_version, 'state', p.state, 'title', p.title, 'note', p.note,
    'proposed_at', p.proposed_at, 'proposed_by', p.proposed_by, 'proposed_by_name', p.proposed_by_name, 'by_key', p.proposed_by_key is not null,
    'decided_at', p.decided_at, 'decided_by_name', p.decided_by_name, 'decision_note', p.decision_note)
$$;

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
  if not private.is_live(present) then
    perform private.refuse('validation_failed', '{"version": "Only a post that readers see already takes proposals"}');
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

create or replace function public.read_proposal(post_id uuid, proposal_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  wanted private.proposals;
begin
  select q.* into wanted from private.proposals q where q.id = proposal_id and q.post_id = post_id
    and (private.key_id() is null or q.proposed_by_key = private.key_id()); -- a key reads its own
  if wanted.id is null then perform private.refuse('not_found'); end if;
  perform private.require_role(wanted.workspace_id);
  return private.shown_proposal(wanted);
end $$;

create or replace function public.change_proposal(post_id uuid, proposal_id uuid, version int, content jsonb, note text default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  present constant public.posts := private.hold_post(post_id, '{owner,admin,editor}');
  held private.proposals := private.proposal_of(post_id, proposal_id);
  words constant text := private.tidy_note(note);
  tidied jsonb;
begin
  if held.proposed_by <> private.person_id() then perform private.refuse('forbidden'); end if;
  if held.state <> 'waiting' then perform private.refuse('review_over'); end if;
  if version is null or version > present.version then perform private.explain_refusal(post_id); end if;
  tidied := private.tidy_proposal(present, content);
  update private.proposals q set base_version = version, title = tidied ->> 'title', summary = tidied ->> 'summary',
    tags = private.text_array(tidied -> 'tags'), cover_image = nullif(tidied -> 'cover_image', 'null'), content_raw = tidied -> 'content_raw',
    note = words, proposed_at = clock_timestamp(), proposed_by_key = null, proposed_by_name = private.my_name()
  where q.id = held.id returning * into held;
  perform private.announce_reviews(present.workspace_id, post_id);
  return private.shown_proposal(held);
end $$;

create or replace function public.withdraw_proposal(post_id uuid, proposal_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  present constant public.posts := private.hold_post(post_id, '{owner,admin,editor}');
  held constant private.proposals := private.proposal_of(post_id, proposal_id);
begin
  if held.proposed_by <> private.my_id() or held.proposed_by_key <> private.key_id()
    or held.proposed_by_key is null and private.key_id() is not null then perform private.refuse('forbidden'); end if; -- a key takes back its own
  if held.state <> 'waiting' then perform private.refuse('review_over'); end if;
  update private.proposals q set state = 'withdrawn', decided_at = clock_timestamp() where q.id = proposal_id;
  perform private.announce_reviews(present.workspace_id, post_id);
end $$;

insert into private.key_calls (call, scopes) values
  ('propose_change', '{posts:write}'), ('read_proposal', '{posts:write}'), ('withdraw_proposal', '{posts:write}');
