-- Proposals: changes of a post that readers see, by members who need approval (62-reviews) and by keys.
create table private.proposals (
  id uuid constraint proposals_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint proposals_workspace_id_fkey references public.workspaces (id) on delete cascade,
  post_id uuid not null constraint proposals_post_id_fkey references public.posts (id) on delete cascade,
  base_version int not null,
  state text not null default 'waiting' constraint proposals_state check (state in ('waiting', 'accepted', 'refused', 'withdrawn')),
  title text not null constraint proposals_title_length check (char_length(title) between 1 and {{titleMaxLength}}),
  summary text constraint proposals_summary_length check (char_length(summary) between 1 and {{summaryMaxLength}}),
  tags text[] not null,
  cover_image jsonb,
  details jsonb,
  content_raw jsonb not null constraint proposals_content_is_blocks check (jsonb_typeof(content_raw -> 'blocks') = 'array'),
  note text constraint proposals_note_length check (char_length(note) between 1 and {{noteMaxLength}}),
  proposed_at timestamptz not null default clock_timestamp(),
  proposed_by uuid not null,
  proposed_by_name text,
  decided_at timestamptz,
  decided_by uuid,
  decided_by_name text,
  decision_note text constraint proposals_decision_note_length check (char_length(decision_note) between 1 and {{noteMaxLength}}),
  proposed_by_key uuid, -- `proposed_by` made the key
  constraint proposals_are_decided check (decided_by is null or decided_by <> proposed_by)
);
create index proposals_of_post on private.proposals (post_id, proposed_at desc);
create unique index proposals_one_of_a_key_waits on private.proposals (post_id, proposed_by_key) where state = 'waiting';
create index proposals_of_workspace on private.proposals (workspace_id, state, proposed_at);

-- Shape: contract/reviews.ts. Lists are without content.
create function private.proposal_json(p private.proposals, with_content boolean default true) returns jsonb
language sql stable set search_path = '' as $$
  select to_jsonb(p) - '{workspace_id,proposed_by_key,decided_by}'::text[]
    - case when with_content then '{}' else '{summary,tags,cover_image,details,content_raw}' end::text[]
    || jsonb_build_object('by_key', p.proposed_by_key is not null)
$$;

-- Cleans and checks a proposal like a post. Its images belong to the post, like those of revisions.
create function private.clean_proposal() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  wrong jsonb;
begin
  new.title := private.clean_line(coalesce(new.title, ''));
  new.summary := nullif(private.clean_line(new.summary), '');
  new.tags := private.clean_tags(new.tags);
  new.cover_image := private.clean_cover(new.cover_image);
  new.details := private.clean_details(new.details);
  wrong := private.content_faults(new.title, new.summary, new.tags, coalesce(new.content_raw, '{}'));
  if new.title = '' then wrong := wrong || '{"title": "Title is required"}'; end if;
  if wrong ? 'content_raw' then null;
  elsif not private.has_content(new.content_raw) then wrong := wrong || '{"content_raw": "Content is required"}';
  elsif not private.may_be_cover(new.cover_image, new.content_raw, new.workspace_id) then
    wrong := wrong || '{"cover_image": "Please choose an image of this post, or add one"}'; end if;
  if wrong <> '{}' then perform private.refuse('validation_failed', wrong); end if;
  insert into private.post_images (post_id, path)
  select new.post_id, private.image_paths(jsonb_build_array(new.content_raw, new.cover_image), new.workspace_id)
  on conflict on constraint post_images_pkey do nothing;
  return new;
end $$;
create trigger proposals_are_tidy before insert or update of title, summary, tags, cover_image, details, content_raw on private.proposals
for each row execute function private.clean_proposal();

-- content: {title, summary, tags, cover_image, details, content_raw}; version: the post's it is based on. A key replaces its waiting proposal without an email.
-- With `proposal_id` its maker changes a waiting one: a newer version means it was rebased, and a key's becomes the person's.
create function public.propose_change(
  post_id uuid, version int, content jsonb, note text default null, idempotency_key text default null, proposal_id uuid default null
) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  present public.posts;
  words constant text := private.clean_note(note);
  earlier jsonb;
  made private.proposals;
begin
  earlier := private.claim_request(idempotency_key, jsonb_build_array('propose_change', post_id, version, content #- '{content_raw,time}', words, proposal_id)::text);
  if earlier is not null then
    select q.* into made from private.proposals q where q.id = (earlier ->> 'proposal_id')::uuid;
    if made.id is null then perform private.refuse('not_found'); end if;
    perform private.require_role(made.workspace_id, '{owner,admin,editor}');
    return private.proposal_json(made);
  end if;
  present := private.lock_post(post_id, '{owner,admin,editor}');
  if proposal_id is not null then
    select q.* into made from private.proposals q where q.id = proposal_id and q.post_id = post_id for update;
    if made.id is null then perform private.refuse('not_found'); end if;
    if made.proposed_by <> private.person_id() then perform private.refuse('forbidden'); end if;
    if made.state <> 'waiting' then perform private.refuse('review_over'); end if;
  elsif present.status not in ('published', 'scheduled') then
    perform private.refuse('validation_failed', '{"version": "You can only propose changes to a published or scheduled post"}');
  else
    select * into made from private.proposals q where q.post_id = post_id and q.proposed_by_key = private.key_id() and q.state = 'waiting' for update;
  end if;
  if version is null or version > present.version then perform private.explain_refusal(post_id); end if;
  content := jsonb_build_object('cover_image', present.cover_image) || content
    || jsonb_build_object('details', coalesce(present.details, '{}') || coalesce(nullif(content -> 'details', 'null'), '{}'));
  if made.id is not null then
    update private.proposals q set base_version = version, title = content ->> 'title', summary = content ->> 'summary',
      tags = private.text_array(content -> 'tags'), cover_image = nullif(content -> 'cover_image', 'null'), details = content -> 'details', content_raw = content -> 'content_raw',
      note = words, proposed_at = clock_timestamp(), proposed_by_key = private.key_id(), proposed_by_name = private.actor_name()
    where q.id = made.id returning * into made;
  else
    if (select count(*) >= 20 from private.proposals q where q.post_id = post_id and q.state = 'waiting') then
      perform private.refuse('validation_failed', '{"note": "This post has 20 open proposals. Decide on one first."}');
    end if;
    insert into private.proposals (workspace_id, post_id, base_version, title, summary, tags, cover_image, details, content_raw, note, proposed_by,
      proposed_by_name, proposed_by_key)
    values (present.workspace_id, post_id, version, content ->> 'title', content ->> 'summary', private.text_array(content -> 'tags'),
      nullif(content -> 'cover_image', 'null'), content -> 'details', content -> 'content_raw', words, auth.uid(), private.actor_name(), private.key_id())
    returning * into made;
    perform private.record_activity(present.workspace_id, 'proposal_made', present.title, post_id);
    perform private.email_approvers(present, array[made.proposed_by],
      jsonb_build_object('subject', made.id, 'by', made.proposed_by_name, 'text', words, 'proposal', made.id));
  end if;
  perform private.announce(present.workspace_id, 'reviews-changed', jsonb_build_object('post_id', post_id));
  perform private.settle_request(idempotency_key, jsonb_build_object('proposal_id', made.id, 'workspace_id', made.workspace_id, 'id', post_id));
  return private.proposal_json(made);
end $$;

create function public.read_proposal(post_id uuid, proposal_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  wanted private.proposals;
begin
  select q.* into wanted from private.proposals q where q.id = proposal_id and q.post_id = post_id
    and (private.key_id() is null or q.proposed_by_key = private.key_id()); -- a key reads its own
  if wanted.id is null then perform private.refuse('not_found'); end if;
  perform private.require_role(wanted.workspace_id);
  return private.proposal_json(wanted);
end $$;

-- Accepts only on the version it is based on, and as last seen by the approver (`seen`).
create function public.decide_proposal(post_id uuid, proposal_id uuid, decision text, note text default null, seen timestamptz default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  me constant uuid := private.person_id();
  present constant public.posts := private.lock_post(post_id, '{owner,admin}');
  held private.proposals;
  words constant text := private.clean_note(note);
  accepts constant boolean := decision = 'approve';
begin
  select q.* into held from private.proposals q where q.id = proposal_id and q.post_id = post_id for update;
  if held.id is null then perform private.refuse('not_found'); end if;
  if decision is null or decision not in ('approve', 'refuse') then
    perform private.refuse('validation_failed', '{"decision": "Choose approve or refuse"}');
  end if;
  if held.state <> 'waiting' then perform private.refuse('review_over'); end if;
  if held.proposed_by = me then perform private.refuse('own_review'); end if;
  if accepts and (present.version <> held.base_version or seen < date_trunc('milliseconds', held.proposed_at)) then
    perform private.explain_refusal(post_id);
  end if;
  update private.proposals q set state = case when accepts then 'accepted' else 'refused' end, decided_at = clock_timestamp(),
    decided_by = me, decided_by_name = private.my_name(), decision_note = words
  where q.id = held.id returning * into held;
  perform private.audit(present.workspace_id, case when accepts then 'proposal_accepted' else 'proposal_refused' end, post_id, present.title);
  perform private.record_activity(present.workspace_id, case when accepts then 'proposal_accepted' else 'proposal_refused' end, present.title, post_id);
  if accepts then
    perform set_config('tidings.accepting', post_id::text, true);
    perform public.save_post(post_id, private.content_of(to_jsonb(held)));
    perform set_config('tidings.accepting', '', true);
  end if;
  perform private.enqueue_member_email(present.workspace_id, 'review_decided', held.proposed_by, jsonb_build_object('subject', held.id,
    'post_id', post_id, 'title', present.title, 'by', private.my_name(), 'text', words, 'decision', held.state, 'proposal', held.id));
  perform private.announce(present.workspace_id, 'reviews-changed', jsonb_build_object('post_id', post_id));
  return jsonb_build_object('proposal', private.proposal_json(held), 'post', (select to_jsonb(d) from public.post_details d where d.id = post_id));
end $$;

create function public.withdraw_proposal(post_id uuid, proposal_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  present constant public.posts := private.lock_post(post_id, '{owner,admin,editor}');
  held private.proposals;
begin
  select q.* into held from private.proposals q where q.id = proposal_id and q.post_id = post_id for update;
  if held.id is null then perform private.refuse('not_found'); end if;
  if held.proposed_by <> private.my_id() or held.proposed_by_key <> private.key_id()
    or held.proposed_by_key is null and private.key_id() is not null then perform private.refuse('forbidden'); end if; -- a key withdraws its own
  if held.state <> 'waiting' then perform private.refuse('review_over'); end if;
  update private.proposals q set state = 'withdrawn', decided_at = clock_timestamp() where q.id = proposal_id;
  perform private.announce(present.workspace_id, 'reviews-changed', jsonb_build_object('post_id', post_id));
end $$;

grant execute on function public.propose_change, public.read_proposal, public.decide_proposal, public.withdraw_proposal
  to authenticated, service_role;
