-- Who gets the reports is named and removed in the audit log.
alter table private.audit_log drop constraint audit_log_kind;
-- squawk-ignore constraint-missing-not-valid
alter table private.audit_log add constraint audit_log_kind check (kind in (
  'signed_in',
  'workspace_made', 'member_joined', 'member_left', 'member_removed', 'role_changed', 'ownership_handed_over',
  'invitation_made', 'invitation_changed', 'invitation_revoked',
  'key_made', 'key_used', 'key_rotated', 'key_revoked',
  'webhook_made', 'webhook_changed', 'webhook_on', 'webhook_off', 'webhook_secret_rotated', 'webhook_removed',
  'workspace_exported', 'subscribers_exported', 'audit_exported',
  'workspace_changed', 'changelog_opened', 'changelog_closed', 'mail_changed', 'widget_changed',
  'report_recipient_named', 'report_recipient_removed',
  'post_published', 'post_scheduled', 'post_archived', 'post_restored', 'post_purged', 'posts_imported', 'import_undone'
));

create or replace function public.add_report_recipient(workspace_id uuid, email text) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  asked constant uuid := add_report_recipient.workspace_id;
  address constant text := add_report_recipient.email;
  mine constant public.member_role := private.require_reports(asked);
  member uuid;
  recipient private.report_recipients;
  added boolean := false;
begin
  if not coalesce(private.is_mail_address(address), false) then
    perform private.refuse('validation_failed', '{"email": "Please enter a valid email address"}');
  end if;
  -- One of a workspace at a time: the row of its tokens is held until this one is done.
  if private.take_token('reportRecipients', asked::text, 60, interval '1 hour') > 0 then perform private.refuse('rate_limited'); end if;
  select m.user_id into member from public.members m join auth.users u on u.id = m.user_id
  where m.workspace_id = asked and lower(u.email) = lower(address);
  select r.* into recipient from private.report_recipients r
  where r.workspace_id = asked and (r.user_id = member or r.email operator (extensions.=) address::extensions.citext)
  order by r.user_id nulls last limit 1;
  if recipient.state = 'stopped' then
    perform private.refuse('validation_failed',
      '{"email": "The reports were stopped at this address. Its owner can start them again, by the link in the last one or in the settings"}');
  end if;
  if recipient.id is null and (
    select count(*) from private.report_recipients r where r.workspace_id = asked and r.named and r.state <> 'stopped'
  ) >= 20 then
    perform private.refuse('validation_failed', '{"email": "A report goes to at most 20 who are named. Remove one first"}');
  end if;

  if member is not null then
    insert into private.report_recipients as r (workspace_id, user_id, state, active_since) values (asked, member, 'active', clock_timestamp())
    on conflict on constraint report_recipients_member do update set named = true, active_since = clock_timestamp()
    where not r.named returning r.* into recipient;
    added := found;
    if not added then select r.* into recipient from private.report_recipients r where r.workspace_id = asked and r.user_id = member; end if;
    if added then perform private.audit(asked, 'report_recipient_named', member, private.audited_name(member)); end if;
    return jsonb_build_object('added', added, 'recipient', private.shown_report_recipient(recipient));
  end if;

  if recipient.state is distinct from 'active' then
    if private.is_suppressed(address, asked) then
      perform private.refuse('validation_failed', '{"email": "Nothing is sent to this address: its owner did not want it, or mails came back"}');
    end if;
    if private.take_token('reportQuestions', asked::text, 20, interval '1 day') > 0 then perform private.refuse('rate_limited'); end if;
    if private.take_token('reportQuestion', asked || ' ' || lower(address), 2, interval '30 days') > 0 then
      perform private.refuse('validation_failed', '{"email": "This address was asked twice in thirty days. It is asked no more for now"}');
    end if;
    -- Together with what other workspaces cause: it is one mailbox.
    if private.take_token('subscribeMail', lower(address), 4, interval '1 day') > 0 then perform private.refuse('rate_limited'); end if;
  end if;
  if recipient.id is null then
    insert into private.report_recipients as r (workspace_id, email, state) values (asked, address, 'asked') returning r.* into recipient;
    added := true;
    perform private.audit(asked, 'report_recipient_named', recipient.id); -- the address itself goes when it is removed, and would stay there
  end if;
  if recipient.state = 'asked' and not exists (
    select from private.deliveries d where d.target_id = recipient.id and d.kind = 'report_question' and d.state = 'waiting'
  ) then
    insert into private.deliveries (workspace_id, channel, kind, target_id) values (asked, 'mail', 'report_question', recipient.id);
  end if;
  return jsonb_build_object('added', added, 'recipient', private.shown_report_recipient(recipient));
end $$;

create or replace function public.remove_report_recipient(workspace_id uuid, recipient uuid) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  asked constant uuid := remove_report_recipient.workspace_id;
  mine constant public.member_role := private.require_reports(asked);
  former private.report_recipients;
begin
  select r.* into former from private.report_recipients r
  where r.id = remove_report_recipient.recipient and r.workspace_id = asked and r.named for update;
  if former.id is null then perform private.refuse('not_found'); end if;
  perform private.audit(asked, 'report_recipient_removed', coalesce(former.user_id, former.id), private.audited_name(former.user_id));
  -- That somebody stopped it is kept: adding him again does not undo it.
  if former.state = 'stopped'
    or exists (select from public.members m where m.workspace_id = asked and m.user_id = former.user_id and m.role = 'owner') then
    update private.report_recipients r set named = false where r.id = former.id;
    return;
  end if;
  delete from private.deliveries d where d.target_id = former.id and d.state = 'waiting';
  delete from private.report_recipients r where r.id = former.id;
end $$;
