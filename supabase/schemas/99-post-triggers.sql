-- Everything that runs when a post is written, in order: Postgres fires triggers of one kind by name (docs/guide/life-of-a-post.md).

-- Guard: clean what was written, or refuse it.
create trigger posts_10_guard_content before insert or update on public.posts for each row execute function private.clean_post();
create trigger posts_11_guard_status before insert or update on public.posts for each row execute function private.apply_status_rules();
create trigger posts_12_guard_author before insert or update of author_id on public.posts for each row execute function private.set_author_name();

-- Derive: columns that callers don't write. Renamed tags and restored copies come after the version, which they don't raise.
create trigger posts_20_derive_slug before insert or update on public.posts for each row execute function private.choose_slug();
create trigger posts_21_derive_version before insert or update on public.posts for each row execute function private.raise_version();
create trigger posts_22_derive_renamed_tags before update on public.posts
for each row when (coalesce(current_setting('tidings.tag_from', true), '') <> '') execute function private.retag_post();
create trigger posts_23_derive_approval before update on public.posts for each row execute function private.void_reviews();
create trigger posts_24_derive_restored_copy before insert on public.posts
for each row when (coalesce(current_setting('tidings.restored', true), '') <> '') execute function private.restore_columns();

-- Two guards that run after row-level security, on the final row.
create trigger posts_30_guard_key after insert or update or delete on public.posts for each row execute function private.guard_posts_from_keys();
create trigger posts_31_guard_review after insert or update on public.posts for each row execute function private.apply_review_rule();

-- Record: what follows from the change. Statement triggers run last, so the public version's row is locked briefly.
create trigger posts_40_record_discarded_images before delete on public.posts for each row execute function private.discard_images();
create trigger posts_41_record_history after insert or update on public.posts for each row execute function private.record_post_history();
create trigger posts_42_record_og_image after insert or update on public.posts for each row execute function private.queue_og_image();
create trigger posts_43_record_activity after insert or update or delete on public.posts
for each row execute function private.record_post_activity();
create trigger posts_45_record_publication after insert or update or delete on public.posts for each row execute function private.enqueue_publication();
create trigger posts_46_record_webhooks after insert or update or delete on public.posts
for each row execute function private.enqueue_webhooks_of_post();
create trigger posts_47_record_public_insert after insert on public.posts
referencing new table as changed for each statement execute function private.public_posts_changed();
create trigger posts_47_record_public_update after update on public.posts
referencing old table as former new table as changed for each statement execute function private.public_posts_changed();
create trigger posts_47_record_public_delete after delete on public.posts
referencing old table as changed for each statement execute function private.public_posts_changed();
alter table public.posts enable always trigger posts_47_record_public_insert;
alter table public.posts enable always trigger posts_47_record_public_update;
alter table public.posts enable always trigger posts_47_record_public_delete;
