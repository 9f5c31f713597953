-- Exports a workspace as one JSON document, like the owner's export.
--   psql "$SUPABASE_DB_URL" --quiet --no-align --tuples-only -v workspace=<id> -f supabase/sql/export-workspace.sql > workspace.json
-- Files are listed by bucket and path; download them from /storage/v1/object/public/{bucket}/{path}.
set statement_timeout = 0;
\set FETCH_COUNT 1
select private.export_document(:'workspace');
