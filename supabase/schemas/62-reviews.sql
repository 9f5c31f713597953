-- Approvals: readers see a post only after another owner or admin approved exactly this version; changes of a live post are proposals.

-- No row: off.
create table private.review_rules (
  workspace_id uuid constraint review_rules_pkey primary key constraint review_rules_workspace_id_fkey references public.workspaces (id) on delete cascade,
  rule text not null constraint review_rules_rule check (rule in ('off', 'editors', 'all')),
  updated_at timestamptz not null default clock_timestamp()
);

-- Names beside ids, without foreign keys: lines outlive accounts. `used_at`: published, or decided anew; until then the approval is valid.
create table private.reviews (
  id uuid constraint reviews_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint reviews_workspace_id_fkey references public.workspaces (id) on delete cascade,
  post_id uuid not null constraint reviews_post_id_fkey references public.posts (id) on delete cascade,
  version int not null,
  state text not null default 'waiting' constraint reviews_state check (state in ('waiting', 'approved', 'refused', 'void', 'withdrawn')),
  publish_at timestamptz,
  note text constraint reviews_note_length check (char_length(note) between 1 and {{noteMaxLength}}),
  asked_at timestamptz not null default clock_timestamp(),
  asked_by uuid not null,
  asked_by_key uuid,
  asked_by_name text,
  decided_at timestamptz,
  decided_by uuid,
  decided_by_name text,
  decision_note text constraint reviews_decision_note_length check (char_length(decision_note) between 1 and {{noteMaxLength}}),
  used_at timestamptz,
  constraint reviews_are_decided check ((decided_by is null) or decided_by <> asked_by)
);
create index reviews_of_post on private.reviews (post_id, asked_at desc);
create unique index reviews_one_waits on private.reviews (post_id) where state = 'waiting';
create index reviews_of_workspace on private.reviews (workspace_id, state, asked_at);

create function private.review_rule_of(workspace uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce((select r.rule from private.review_rules r where r.workspace_id = workspace), 'off');
end $$;

-- True if the person can publish without approval. False for outsiders.
create function private.publishes_alone(workspace uuid, person uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  rule constant text := private.review_rule_of(workspace);
begin
  if rule = 'off' then return true; end if;
  return exists (
    select from public.members m where m.workspace_id = workspace and m.user_id = person
      and (m.role = 'owner' or m.role = 'admin' and rule = 'editors')
  );
end $$;

-- True if the present version has an approval by someone who can still approve, for this time or earlier (null: now).
create function private.is_approved(post uuid, for_time timestamptz) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from private.reviews r
      join public.members m on m.workspace_id = r.workspace_id and m.user_id = r.decided_by and m.role in ('owner', 'admin')
    where r.post_id = post and r.state = 'approved' and r.used_at is null
      and (r.publish_at is null or coalesce(for_time, clock_timestamp()) >= r.publish_at)
  );
end $$;

-- An edit voids approvals and open requests. A scheduled post edited by someone who needs approval becomes a draft, unless it is due.
create function private.void_reviews() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  is_live constant boolean := old.status = 'published' or old.status = 'scheduled' and new.status = 'published' and new.publish_at is not null;
  differs constant boolean := private.is_visible_change(old, new);
begin
  if differs and not is_live then
    update private.reviews r set state = 'void' where r.post_id = new.id and r.state = 'approved' and r.used_at is null;
  end if;
  if new.version <> old.version then
    update private.reviews r set state = 'void' where r.post_id = new.id and r.state = 'waiting';
  end if;
  if new.status <> 'scheduled' or auth.uid() is null or private.publishes_alone(new.workspace_id, auth.uid()) then return new; end if;
  if old.status = 'scheduled' and differs and new.publish_at = old.publish_at
    or old.status = 'archived' and not private.is_approved(new.id, new.publish_at) then -- public.undo_archive
    new.status := 'draft';
    new.publish_at := null;
    if old.status = 'scheduled' then perform set_config('tidings.unapproved', new.id::text, true); end if;
  end if;
  return new;
end $$;

-- Members who need approval publish and schedule nothing without one, and change nothing that readers see of a published post. An approval serves
-- once: publishing uses it up, so does leaving the archive as a draft, or another time set by a member who needs no approval.
create function private.apply_review_rule() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  is_new constant boolean := tg_op = 'INSERT';
  needs_approval constant boolean := new.status in ('scheduled', 'published') and auth.uid() is not null
    and not private.publishes_alone(new.workspace_id, auth.uid());
begin
  if needs_approval and coalesce(current_setting('tidings.accepting', true), '') <> new.id::text and (case -- accepting: a proposal, by an approver
    when is_new then true
    when old.status = 'published' or old.status = 'scheduled' and new.status = 'published' and new.publish_at is not null then
      private.is_visible_change(old, new) or old.status = 'published' and new.published_at <> old.published_at
    when old.status = 'archived' and coalesce(current_setting('tidings.former_status', true), '') = 'published' and old.updated_by = auth.uid() then
      false -- the same person archived it a moment ago (public.undo_archive)
    when old.status = 'scheduled' and new.status = 'scheduled' and new.publish_at = old.publish_at then false
    else not private.is_approved(new.id, new.publish_at)
  end) then
    perform private.refuse('review_required');
  end if;
  if not is_new and (old.status <> new.status or old.publish_at is distinct from new.publish_at) and (
    new.status = 'published' or old.status = 'archived' and new.status = 'draft'
    or new.status = 'scheduled' and new.publish_at is distinct from old.publish_at and auth.uid() is not null
      and coalesce(current_setting('tidings.approving', true), '') <> new.id::text and private.publishes_alone(new.workspace_id, auth.uid())
  ) then
    update private.reviews r set used_at = clock_timestamp() where r.post_id = new.id and r.state = 'approved' and r.used_at is null;
  end if;
  return null;
end $$;

-- When an approver leaves or is demoted, their unused approvals are void, and posts scheduled by them become drafts.
create function private.void_approvals_of_member() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  voided uuid[];
  post uuid;
begin
  if not exists (select from public.workspaces w where w.id = old.workspace_id) then return null; end if;
  -- Lock order: posts, then reviews. Waits for posts being scheduled.
  perform from public.posts p where p.id in (
    select r.post_id from private.reviews r
    where r.workspace_id = old.workspace_id and r.decided_by = old.user_id and r.state = 'approved' and r.used_at is null
  ) order by p.id for no key update;
  with gone as (
    update private.reviews r set state = 'void'
    where r.workspace_id = old.workspace_id and r.decided_by = old.user_id and r.state = 'approved' and r.used_at is null
      and (r.asked_by_key is not null or not private.publishes_alone(r.workspace_id, r.asked_by))
    returning r.post_id
  )
  select array_agg(g.post_id) into voided from gone g;
  foreach post in array coalesce(voided, '{}') loop
    perform set_config('tidings.unapproved', post::text, true);
    update public.posts p set status = 'draft' where p.id = post and p.status = 'scheduled' and p.publish_at > clock_timestamp();
    perform set_config('tidings.unapproved', '', true);
    perform private.announce(old.workspace_id, 'reviews-changed', jsonb_build_object('post_id', post));
  end loop;
  return null;
end $$;
create trigger members_70_reviews after delete on public.members for each row execute function private.void_approvals_of_member();
create trigger members_70_reviews_of_role after update of role on public.members
for each row when (new.role not in ('owner', 'admin')) execute function private.void_approvals_of_member();

-- Shape: contract/reviews.ts.
create function private.review_json(r private.reviews) returns jsonb
language sql stable set search_path = '' as $$
  select to_jsonb(r) - '{workspace_id,asked_by_key,decided_by,used_at}'::text[]
$$;

create function private.clean_note(note text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  tidied constant text := nullif(btrim(note, U&' \0009\000A\000D'), '');
begin
  if char_length(tidied) > {{noteMaxLength}} then
    perform private.refuse('validation_failed', '{"note": "A note can have at most {{figure:noteMaxLength}} characters"}');
  end if;
  return tidied;
end $$;

-- Locks membership, then post, after a check of the role, so that removal or demotion waits. Lock order: workspace first. With `for_comments`, which
-- people write without changing the post, its comments are locked, for limits and empty threads.
create function private.lock_post(post uuid, roles public.member_role[], for_comments boolean default false) returns public.posts
language plpgsql security definer set search_path = '' as $$
declare
  workspace constant uuid := (select p.workspace_id from public.posts p where p.id = post);
  held public.posts;
begin
  if for_comments and private.person_id() is null or private.my_role(workspace) is null then -- strangers get no lock
    perform private.refuse('not_found');
  end if;
  perform from public.workspaces w where w.id = workspace for key share;
  perform from public.members m where m.workspace_id = workspace and m.user_id = auth.uid() for share;
  if for_comments then
    perform pg_advisory_xact_lock(hashtextextended('comments/' || post, 0));
    select * into held from public.posts p where p.id = post for key share;
  else
    select * into held from public.posts p where p.id = post for no key update;
  end if;
  if held.id is null then perform private.refuse('not_found'); end if;
  perform private.require_role(held.workspace_id, roles);
  return held;
end $$;

-- The caller's name; for an API key "creator (key name)".
create function private.actor_name() returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.my_name() || coalesce((select ' (' || k.name || ')' from public.api_keys k where k.id = private.key_id()), '');
end $$;

-- Emails everyone who can decide, once while it waits.
create function private.email_approvers(post public.posts, but uuid[], data jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.enqueue_member_email(post.workspace_id, 'review_asked', m.user_id, data || jsonb_build_object('post_id', post.id, 'title', post.title))
  from public.members m
  where m.workspace_id = post.workspace_id and m.role in ('owner', 'admin') and m.user_id <> all (array_remove(but, null));
end $$;

create function public.review_rule(workspace_id uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role(review_rule.workspace_id);
  return private.review_rule_of(review_rule.workspace_id);
end $$;

create function public.set_review_rule(workspace_id uuid, rule text) returns text
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  was text;
begin
  perform private.require_role(workspace_id, '{owner}');
  if rule is null or rule not in ('off', 'editors', 'all') then
    perform private.refuse('validation_failed', '{"rule": "Please choose from the list"}');
  end if;
  perform from public.workspaces w where w.id = workspace_id for no key update;
  was := private.review_rule_of(workspace_id);
  if was <> rule then
    insert into private.review_rules as r (workspace_id, rule) values (workspace_id, rule)
    on conflict on constraint review_rules_pkey do update set rule = excluded.rule, updated_at = clock_timestamp();
    perform private.audit(workspace_id, 'review_rule_changed', null, null, jsonb_build_object('rule', jsonb_build_array(was, rule)));
  end if;
  return rule;
end $$;

-- {"reviews", "proposals"}: what the caller can decide, oldest first, at most a hundred each.
create function public.waiting_for_me(workspace_id uuid) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  role constant public.member_role := private.require_role(waiting_for_me.workspace_id);
  me constant uuid := private.my_id();
begin
  if role not in ('owner', 'admin') then return '{"reviews": [], "proposals": []}'; end if;
  return json_build_object(
    'reviews', coalesce((
      select json_agg(l.line order by l.asked_at, l.id) from (
        select r.id, r.asked_at, private.review_json(r) || jsonb_build_object('title', p.title) as line
        from private.reviews r join public.posts p on p.id = r.post_id
        where r.workspace_id = waiting_for_me.workspace_id and r.state = 'waiting' and r.asked_by <> me and p.updated_by is distinct from me
        order by r.asked_at, r.id limit 100
      ) as l), '[]'),
    'proposals', coalesce((
      select json_agg(l.line order by l.proposed_at, l.id) from (
        select q.id, q.proposed_at, private.proposal_json(q, false) || jsonb_build_object('post_title', p.title) as line
        from private.proposals q join public.posts p on p.id = q.post_id
        where q.workspace_id = waiting_for_me.workspace_id and q.state = 'waiting' and q.proposed_by <> me and p.status in ('published', 'scheduled')
        order by q.proposed_at, q.id limit 100
      ) as l), '[]'));
end $$;

-- {"rule", "exempt", "may_decide", "reviews", "proposals"} (contract/reviews.ts): the latest twenty of each, and all waiting proposals.
create function public.review_standing(post_id uuid) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := post_id;
  present public.posts;
  role public.member_role;
begin
  select * into present from public.posts p where p.id = asked;
  if present.id is null then perform private.refuse('not_found'); end if;
  role := private.require_role(present.workspace_id);
  return json_build_object(
    'rule', private.review_rule_of(present.workspace_id),
    'exempt', role <> 'viewer' and private.publishes_alone(present.workspace_id, private.my_id()) and private.key_has('posts:publish'),
    'may_decide', role in ('owner', 'admin') and exists (
      select from private.reviews r where r.post_id = asked and r.state = 'waiting' and r.asked_by <> private.my_id()
        and present.updated_by is distinct from private.my_id()),
    'reviews', coalesce((
      select json_agg(private.review_json(l) order by l.asked_at desc, l.id) from (
        select r.* from private.reviews r where r.post_id = asked order by r.asked_at desc, r.id limit 20) as l), '[]'),
    'proposals', coalesce((
      select json_agg(private.proposal_json(l, false) order by l.proposed_at desc, l.id) from (
        select q.* from private.proposals q where q.post_id = asked order by q.state <> 'waiting', q.proposed_at desc, q.id limit 40) as l), '[]'));
end $$;

-- version: to be approved, null: the present one. Refuses what can't be published. Replaces a pending request.
create function public.ask_review(
  post_id uuid, version int default null, publish_at timestamptz default null, note text default null, idempotency_key text default null
) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  present public.posts;
  wanted constant timestamptz := date_trunc('milliseconds', publish_at);
  words constant text := private.clean_note(note);
  earlier jsonb;
  wrong jsonb := '{}';
  made private.reviews;
begin
  earlier := private.claim_request(idempotency_key, jsonb_build_array('ask_review', post_id, version, wanted, words)::text);
  if earlier is not null then
    select r.* into made from private.reviews r where r.id = (earlier ->> 'review_id')::uuid;
    if made.id is null then perform private.refuse('not_found'); end if;
    perform private.require_role(made.workspace_id, '{owner,admin,editor}');
    return private.review_json(made);
  end if;
  present := private.lock_post(post_id, '{owner,admin,editor}');
  if present.version <> version then perform private.explain_refusal(post_id); end if;
  if present.status = 'archived' then perform private.refuse('archived_post_locked');
  elsif present.status = 'published' or present.status = 'scheduled' and present.publish_at <= clock_timestamp() then
    perform private.refuse('published_post_locked');
  end if;
  if present.title = '' then wrong := wrong || '{"title": "Title is required"}'; end if;
  if not private.has_content(present.content_raw) then wrong := wrong || '{"content_raw": "Content is required"}'; end if;
  if wanted is not null then
    if wanted <= clock_timestamp() or not isfinite(wanted) then wrong := wrong || '{"publish_at": "Please choose a time in the future"}';
    elsif wanted > clock_timestamp() + interval '{{scheduleReachYears}} years' then
      wrong := wrong || '{"publish_at": "Please choose a time within the next ten years"}'; end if;
  end if;
  if wrong <> '{}' then perform private.refuse('validation_failed', wrong); end if;
  update private.reviews r set state = 'withdrawn' where r.post_id = post_id and r.state = 'waiting';
  insert into private.reviews (workspace_id, post_id, version, publish_at, note, asked_by, asked_by_key, asked_by_name)
  values (present.workspace_id, post_id, present.version, wanted, words, auth.uid(), private.key_id(), private.actor_name())
  returning * into made;
  perform private.record_activity(present.workspace_id, 'review_asked', present.title, post_id);
  perform private.audit(present.workspace_id, 'review_asked', post_id, present.title,
    jsonb_strip_nulls(jsonb_build_object('version', present.version, 'publish_at', wanted)));
  perform private.email_approvers(present, array[made.asked_by, present.updated_by],
    jsonb_build_object('subject', post_id, 'by', made.asked_by_name, 'text', words));
  perform private.announce(present.workspace_id, 'reviews-changed', jsonb_build_object('post_id', post_id));
  perform private.settle_request(idempotency_key, jsonb_build_object('review_id', made.id, 'workspace_id', made.workspace_id, 'id', post_id));
  return private.review_json(made);
end $$;

-- Approves or declines; an approved post is published or scheduled as requested, or at once if that time has passed.
create function public.decide_review(post_id uuid, review_id uuid, version int, decision text, note text default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  me constant uuid := private.person_id();
  present constant public.posts := private.lock_post(post_id, '{owner,admin}');
  asked private.reviews;
  words constant text := private.clean_note(note);
  approves constant boolean := decision = 'approve';
begin
  select r.* into asked from private.reviews r where r.id = review_id and r.post_id = post_id for update;
  if asked.id is null then perform private.refuse('not_found'); end if;
  if decision is null or decision not in ('approve', 'refuse') then
    perform private.refuse('validation_failed', '{"decision": "Choose approve or refuse"}');
  end if;
  if asked.state not in ('waiting', 'void') then perform private.refuse('review_over'); end if;
  if asked.state = 'void' or asked.version <> version or present.version <> version then perform private.explain_refusal(post_id); end if;
  if asked.asked_by = me or present.updated_by = me then perform private.refuse('own_review'); end if;
  update private.reviews r set state = case when approves then 'approved' else 'refused' end, decided_at = clock_timestamp(),
    decided_by = me, decided_by_name = private.my_name(), decision_note = words
  where r.id = asked.id returning * into asked;
  perform private.audit(present.workspace_id, case when approves then 'review_approved' else 'review_refused' end, post_id, present.title,
    jsonb_build_object('version', version));
  if approves then
    perform set_config('tidings.approving', post_id::text, true);
    update public.posts p set
      status = case when asked.publish_at > clock_timestamp() then 'scheduled' else 'published' end::public.post_status,
      publish_at = case when asked.publish_at > clock_timestamp() then asked.publish_at end
    where p.id = post_id;
    perform set_config('tidings.approving', '', true);
  else
    perform private.record_activity(present.workspace_id, 'review_refused', present.title, post_id);
  end if;
  perform private.enqueue_member_email(present.workspace_id, 'review_decided', asked.asked_by, jsonb_build_object(
    'subject', asked.id, 'post_id', post_id, 'title', present.title, 'by', private.my_name(), 'text', words, 'decision', asked.state));
  perform private.announce(present.workspace_id, 'reviews-changed', jsonb_build_object('post_id', post_id));
  return jsonb_build_object(
    'review', (select private.review_json(r) from private.reviews r where r.id = asked.id),
    'post', (select to_jsonb(d) from public.post_details d where d.id = post_id));
end $$;

create function public.withdraw_review(post_id uuid, review_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  present constant public.posts := private.lock_post(post_id, '{owner,admin,editor}');
  asked private.reviews;
begin
  select r.* into asked from private.reviews r where r.id = review_id and r.post_id = post_id for update;
  if asked.id is null then perform private.refuse('not_found'); end if;
  if asked.asked_by <> private.person_id() then perform private.refuse('forbidden'); end if;
  if asked.state not in ('waiting', 'void') then perform private.refuse('review_over'); end if;
  update private.reviews r set state = 'withdrawn' where r.id = review_id;
  perform private.announce(present.workspace_id, 'reviews-changed', jsonb_build_object('post_id', post_id));
end $$;

grant execute on function public.review_rule, public.set_review_rule, public.waiting_for_me, public.review_standing, public.ask_review,
  public.decide_review, public.withdraw_review to authenticated, service_role;
