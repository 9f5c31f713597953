/** Made by `npm run types`: what PostgREST shows of the database, for its client. Never edited. */

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json | undefined };

export interface Database {
  public: {
    Tables: {
      activities: {
        Row: {
          id: number;
          workspace_id: string;
          post_id: string | null;
          kind: string;
          actor_id: string | null;
          actor_name: string | null;
          title: string;
          created_at: string;
        };
        Insert: {
          id?: number;
          workspace_id: string;
          post_id?: string | null;
          kind: string;
          actor_id?: string | null;
          actor_name?: string | null;
          title: string;
          created_at?: string;
        };
        Update: {
          id?: number;
          workspace_id?: string;
          post_id?: string | null;
          kind?: string;
          actor_id?: string | null;
          actor_name?: string | null;
          title?: string;
          created_at?: string;
        };
        Relationships: [];
      };
      api_keys: {
        Row: {
          id: string;
          workspace_id: string;
          name: string;
          scopes: string[];
          hash: string;
          former_hash: string | null;
          former_until: string | null;
          start: string;
          last4: string;
          created_by: string;
          created_by_name: string;
          created_at: string;
          expires_at: string | null;
          last_used_at: string | null;
          rotated_at: string | null;
          revoked_at: string | null;
          client_id: string | null;
          secret_until: string | null;
          refresh_hash: string | null;
        };
        Insert: {
          id?: string;
          workspace_id: string;
          name: string;
          scopes: string[];
          hash: string;
          former_hash?: string | null;
          former_until?: string | null;
          start: string;
          last4: string;
          created_by: string;
          created_by_name: string;
          created_at?: string;
          expires_at?: string | null;
          last_used_at?: string | null;
          rotated_at?: string | null;
          revoked_at?: string | null;
          client_id?: string | null;
          secret_until?: string | null;
          refresh_hash?: string | null;
        };
        Update: {
          id?: string;
          workspace_id?: string;
          name?: string;
          scopes?: string[];
          hash?: string;
          former_hash?: string | null;
          former_until?: string | null;
          start?: string;
          last4?: string;
          created_by?: string;
          created_by_name?: string;
          created_at?: string;
          expires_at?: string | null;
          last_used_at?: string | null;
          rotated_at?: string | null;
          revoked_at?: string | null;
          client_id?: string | null;
          secret_until?: string | null;
          refresh_hash?: string | null;
        };
        Relationships: [];
      };
      appearances: {
        Row: { workspace_id: string; settings: Json; logo_dark_url: string | null; favicon_url: string | null; updated_at: string };
        Insert: {
          workspace_id: string;
          settings?: unknown;
          logo_dark_url?: string | null;
          favicon_url?: string | null;
          updated_at?: string;
        };
        Update: {
          workspace_id?: string;
          settings?: unknown;
          logo_dark_url?: string | null;
          favicon_url?: string | null;
          updated_at?: string;
        };
        Relationships: [];
      };
      daily_counts: {
        Row: { workspace_id: string; post_id: string | null; what: string; day: string; source: string; n: number };
        Insert: { workspace_id: string; post_id?: string | null; what: string; day: string; source: string; n: number };
        Update: { workspace_id?: string; post_id?: string | null; what?: string; day?: string; source?: string; n?: number };
        Relationships: [];
      };
      domains: {
        Row: {
          host: string;
          workspace_id: string;
          shown: string;
          token: string;
          state: string;
          leads: boolean;
          found: Json;
          problem: string | null;
          failing_since: string | null;
          checked_at: string | null;
          live_at: string | null;
          grace_until: string | null;
          created_at: string;
          id: string;
        };
        Insert: {
          host: string;
          workspace_id: string;
          shown: string;
          token?: string;
          state?: string;
          leads?: boolean;
          found?: unknown;
          problem?: string | null;
          failing_since?: string | null;
          checked_at?: string | null;
          live_at?: string | null;
          grace_until?: string | null;
          created_at?: string;
          id?: string;
        };
        Update: {
          host?: string;
          workspace_id?: string;
          shown?: string;
          token?: string;
          state?: string;
          leads?: boolean;
          found?: unknown;
          problem?: string | null;
          failing_since?: string | null;
          checked_at?: string | null;
          live_at?: string | null;
          grace_until?: string | null;
          created_at?: string;
          id?: string;
        };
        Relationships: [];
      };
      house_styles: {
        Row: { workspace_id: string; text: string; updated_by: string | null; updated_by_name: string | null; updated_at: string };
        Insert: { workspace_id: string; text: string; updated_by?: string | null; updated_by_name?: string | null; updated_at?: string };
        Update: { workspace_id?: string; text?: string; updated_by?: string | null; updated_by_name?: string | null; updated_at?: string };
        Relationships: [];
      };
      imports: {
        Row: {
          id: string;
          workspace_id: string;
          source: string;
          name: string;
          total: number;
          created_by: string | null;
          created_by_name: string | null;
          created_at: string;
          finished_at: string | null;
          undone_at: string | null;
          activity_id: number | null;
        };
        Insert: {
          id?: string;
          workspace_id: string;
          source: string;
          name: string;
          total: number;
          created_by?: string | null;
          created_by_name?: string | null;
          created_at?: string;
          finished_at?: string | null;
          undone_at?: string | null;
          activity_id?: number | null;
        };
        Update: {
          id?: string;
          workspace_id?: string;
          source?: string;
          name?: string;
          total?: number;
          created_by?: string | null;
          created_by_name?: string | null;
          created_at?: string;
          finished_at?: string | null;
          undone_at?: string | null;
          activity_id?: number | null;
        };
        Relationships: [];
      };
      invites: {
        Row: {
          id: string;
          workspace_id: string;
          role: Database["public"]["Enums"]["member_role"];
          email: string | null;
          token_hash: string;
          created_by: string;
          created_by_name: string | null;
          created_at: string;
          expires_at: string;
          accepted_at: string | null;
          accepted_by: string | null;
          revoked_at: string | null;
          mailed_at: string | null;
        };
        Insert: {
          id?: string;
          workspace_id: string;
          role: Database["public"]["Enums"]["member_role"];
          email?: string | null;
          token_hash: string;
          created_by: string;
          created_by_name?: string | null;
          created_at?: string;
          expires_at?: string;
          accepted_at?: string | null;
          accepted_by?: string | null;
          revoked_at?: string | null;
          mailed_at?: string | null;
        };
        Update: {
          id?: string;
          workspace_id?: string;
          role?: Database["public"]["Enums"]["member_role"];
          email?: string | null;
          token_hash?: string;
          created_by?: string;
          created_by_name?: string | null;
          created_at?: string;
          expires_at?: string;
          accepted_at?: string | null;
          accepted_by?: string | null;
          revoked_at?: string | null;
          mailed_at?: string | null;
        };
        Relationships: [];
      };
      mail_settings: {
        Row: {
          workspace_id: string;
          enabled: boolean;
          undo_minutes: number;
          sender_name: string | null;
          reply_to: string | null;
          time_zone: string;
          updated_at: string;
          held_at: string | null;
          held_reason: string | null;
          released_at: string | null;
        };
        Insert: {
          workspace_id: string;
          enabled?: boolean;
          undo_minutes?: number;
          sender_name?: string | null;
          reply_to?: string | null;
          time_zone?: string;
          updated_at?: string;
          held_at?: string | null;
          held_reason?: string | null;
          released_at?: string | null;
        };
        Update: {
          workspace_id?: string;
          enabled?: boolean;
          undo_minutes?: number;
          sender_name?: string | null;
          reply_to?: string | null;
          time_zone?: string;
          updated_at?: string;
          held_at?: string | null;
          held_reason?: string | null;
          released_at?: string | null;
        };
        Relationships: [];
      };
      members: {
        Row: { workspace_id: string; user_id: string; role: Database["public"]["Enums"]["member_role"]; created_at: string };
        Insert: { workspace_id: string; user_id: string; role: Database["public"]["Enums"]["member_role"]; created_at?: string };
        Update: { workspace_id?: string; user_id?: string; role?: Database["public"]["Enums"]["member_role"]; created_at?: string };
        Relationships: [];
      };
      post_redirects: {
        Row: { workspace_id: string; host: string; path: string; post_id: string };
        Insert: { workspace_id: string; host: string; path: string; post_id: string };
        Update: { workspace_id?: string; host?: string; path?: string; post_id?: string };
        Relationships: [];
      };
      post_revisions: {
        Row: {
          post_id: string;
          workspace_id: string;
          version: number;
          status: Database["public"]["Enums"]["post_status"];
          title: string;
          tags: string[];
          content_raw: Json;
          publish_at: string | null;
          author_id: string | null;
          author_name: string | null;
          created_at: string;
          summary: string | null;
          cover_image: Json | null;
          published_at: string | null;
          post_author_name: string | null;
          autosaves_since: string | null;
        };
        Insert: {
          post_id: string;
          workspace_id: string;
          version: number;
          status: Database["public"]["Enums"]["post_status"];
          title: string;
          tags: string[];
          content_raw: unknown;
          publish_at?: string | null;
          author_id?: string | null;
          author_name?: string | null;
          created_at: string;
          summary?: string | null;
          cover_image?: unknown | null;
          published_at?: string | null;
          post_author_name?: string | null;
          autosaves_since?: string | null;
        };
        Update: {
          post_id?: string;
          workspace_id?: string;
          version?: number;
          status?: Database["public"]["Enums"]["post_status"];
          title?: string;
          tags?: string[];
          content_raw?: unknown;
          publish_at?: string | null;
          author_id?: string | null;
          author_name?: string | null;
          created_at?: string;
          summary?: string | null;
          cover_image?: unknown | null;
          published_at?: string | null;
          post_author_name?: string | null;
          autosaves_since?: string | null;
        };
        Relationships: [];
      };
      post_slugs: {
        Row: { workspace_id: string; slug: string; post_id: string; created_at: string };
        Insert: { workspace_id: string; slug: string; post_id: string; created_at?: string };
        Update: { workspace_id?: string; slug?: string; post_id?: string; created_at?: string };
        Relationships: [];
      };
      posts: {
        Row: {
          id: string;
          workspace_id: string;
          title: string;
          slug: string;
          status: Database["public"]["Enums"]["post_status"];
          tags: string[];
          content_raw: Json;
          search_text: string;
          excerpt: string;
          publish_at: string | null;
          published_at: string | null;
          archived_at: string | null;
          version: number;
          created_by: string | null;
          created_by_name: string | null;
          author_name: string | null;
          created_at: string;
          updated_at: string;
          updated_by: string | null;
          updated_by_name: string | null;
          content_updated_at: string;
          summary: string | null;
          cover_image: Json | null;
          author_id: string | null;
          external_id: string | null;
          imported_at: string | null;
        };
        Insert: {
          id?: string;
          workspace_id: string;
          title: string;
          slug: string;
          status?: Database["public"]["Enums"]["post_status"];
          tags?: string[];
          content_raw?: unknown;
          search_text?: string;
          excerpt?: string;
          publish_at?: string | null;
          published_at?: string | null;
          archived_at?: string | null;
          version?: number;
          created_by?: string | null;
          created_by_name?: string | null;
          author_name?: string | null;
          created_at?: string;
          updated_at?: string;
          updated_by?: string | null;
          updated_by_name?: string | null;
          content_updated_at?: string;
          summary?: string | null;
          cover_image?: unknown | null;
          author_id?: string | null;
          external_id?: string | null;
          imported_at?: string | null;
        };
        Update: {
          id?: string;
          workspace_id?: string;
          title?: string;
          slug?: string;
          status?: Database["public"]["Enums"]["post_status"];
          tags?: string[];
          content_raw?: unknown;
          search_text?: string;
          excerpt?: string;
          publish_at?: string | null;
          published_at?: string | null;
          archived_at?: string | null;
          version?: number;
          created_by?: string | null;
          created_by_name?: string | null;
          author_name?: string | null;
          created_at?: string;
          updated_at?: string;
          updated_by?: string | null;
          updated_by_name?: string | null;
          content_updated_at?: string;
          summary?: string | null;
          cover_image?: unknown | null;
          author_id?: string | null;
          external_id?: string | null;
          imported_at?: string | null;
        };
        Relationships: [];
      };
      profiles: {
        Row: {
          user_id: string;
          full_name: string;
          job_title: string | null;
          company_name: string | null;
          avatar_url: string | null;
          created_at: string;
        };
        Insert: {
          user_id: string;
          full_name: string;
          job_title?: string | null;
          company_name?: string | null;
          avatar_url?: string | null;
          created_at?: string;
        };
        Update: {
          user_id?: string;
          full_name?: string;
          job_title?: string | null;
          company_name?: string | null;
          avatar_url?: string | null;
          created_at?: string;
        };
        Relationships: [];
      };
      subscribers: {
        Row: {
          id: string;
          workspace_id: string;
          email: string;
          status: Database["public"]["Enums"]["subscriber_status"];
          frequency: Database["public"]["Enums"]["subscriber_frequency"];
          tags: string[] | null;
          generation: number;
          consent: Json;
          created_at: string;
          confirmed_at: string | null;
          left_at: string | null;
          last_digest_at: string | null;
        };
        Insert: {
          id?: string;
          workspace_id: string;
          email: string;
          status?: Database["public"]["Enums"]["subscriber_status"];
          frequency?: Database["public"]["Enums"]["subscriber_frequency"];
          tags?: string[] | null;
          generation?: number;
          consent?: unknown;
          created_at?: string;
          confirmed_at?: string | null;
          left_at?: string | null;
          last_digest_at?: string | null;
        };
        Update: {
          id?: string;
          workspace_id?: string;
          email?: string;
          status?: Database["public"]["Enums"]["subscriber_status"];
          frequency?: Database["public"]["Enums"]["subscriber_frequency"];
          tags?: string[] | null;
          generation?: number;
          consent?: unknown;
          created_at?: string;
          confirmed_at?: string | null;
          left_at?: string | null;
          last_digest_at?: string | null;
        };
        Relationships: [];
      };
      tags: {
        Row: { workspace_id: string; key: string; label: string; colour: string; created_by: string | null; created_at: string };
        Insert: { workspace_id: string; key: string; label: string; colour?: string; created_by?: string | null; created_at?: string };
        Update: { workspace_id?: string; key?: string; label?: string; colour?: string; created_by?: string | null; created_at?: string };
        Relationships: [];
      };
      templates: {
        Row: {
          id: string;
          workspace_id: string;
          name: string;
          title: string;
          summary: string | null;
          tags: string[];
          content_raw: Json;
          updated_by: string | null;
          updated_by_name: string | null;
          created_at: string;
          updated_at: string;
        };
        Insert: {
          id?: string;
          workspace_id: string;
          name: string;
          title?: string;
          summary?: string | null;
          tags?: string[];
          content_raw: unknown;
          updated_by?: string | null;
          updated_by_name?: string | null;
          created_at?: string;
          updated_at?: string;
        };
        Update: {
          id?: string;
          workspace_id?: string;
          name?: string;
          title?: string;
          summary?: string | null;
          tags?: string[];
          content_raw?: unknown;
          updated_by?: string | null;
          updated_by_name?: string | null;
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [];
      };
      upgrade_requests: {
        Row: {
          id: string;
          workspace_id: string;
          add_ons: string[];
          requested_by: string | null;
          requested_by_name: string | null;
          created_at: string;
          granted_at: string | null;
        };
        Insert: {
          id?: string;
          workspace_id: string;
          add_ons: string[];
          requested_by?: string | null;
          requested_by_name?: string | null;
          created_at?: string;
          granted_at?: string | null;
        };
        Update: {
          id?: string;
          workspace_id?: string;
          add_ons?: string[];
          requested_by?: string | null;
          requested_by_name?: string | null;
          created_at?: string;
          granted_at?: string | null;
        };
        Relationships: [];
      };
      widget_settings: {
        Row: { workspace_id: string; settings: Json; updated_at: string };
        Insert: { workspace_id: string; settings?: unknown; updated_at?: string };
        Update: { workspace_id?: string; settings?: unknown; updated_at?: string };
        Relationships: [];
      };
      workspace_add_ons: {
        Row: { workspace_id: string; add_on: string; granted_by: string | null; granted_at: string };
        Insert: { workspace_id: string; add_on: string; granted_by?: string | null; granted_at?: string };
        Update: { workspace_id?: string; add_on?: string; granted_by?: string | null; granted_at?: string };
        Relationships: [];
      };
      workspaces: {
        Row: {
          id: string;
          name: string;
          subdomain: string;
          origin: string | null;
          allowed_origins: string[];
          logo_url: string | null;
          public_changelog_enabled: boolean;
          created_at: string;
          updated_at: string;
          suspension: Json | null;
          is_open: boolean;
        };
        Insert: {
          id?: string;
          name: string;
          subdomain: string;
          origin?: string | null;
          allowed_origins?: string[];
          logo_url?: string | null;
          public_changelog_enabled?: boolean;
          created_at?: string;
          updated_at?: string;
          suspension?: unknown | null;
          is_open?: boolean;
        };
        Update: {
          id?: string;
          name?: string;
          subdomain?: string;
          origin?: string | null;
          allowed_origins?: string[];
          logo_url?: string | null;
          public_changelog_enabled?: boolean;
          created_at?: string;
          updated_at?: string;
          suspension?: unknown | null;
          is_open?: boolean;
        };
        Relationships: [];
      };
    };
    Views: {
      post_details: {
        Row: {
          id: string;
          workspace_id: string;
          title: string;
          slug: string;
          excerpt: string;
          status: Database["public"]["Enums"]["post_status"];
          tags: string[];
          publish_at: string | null;
          published_at: string | null;
          created_at: string;
          updated_at: string;
          archived_at: string | null;
          created_by: string | null;
          created_by_name: string | null;
          author_name: string | null;
          version: number;
          content_raw: Json;
          updated_by_name: string | null;
          author: Json | null;
          public_changelog_enabled: boolean | null;
          summary: string | null;
          cover_image: Json | null;
          author_id: string | null;
          external_id: string | null;
        };
        Relationships: [];
      };
      post_summaries: {
        Row: {
          id: string;
          workspace_id: string;
          title: string;
          slug: string;
          excerpt: string;
          status: Database["public"]["Enums"]["post_status"];
          tags: string[];
          publish_at: string | null;
          published_at: string | null;
          created_at: string;
          updated_at: string;
          archived_at: string | null;
          created_by: string | null;
          created_by_name: string | null;
          author_name: string | null;
          version: number;
          summary: string | null;
        };
        Relationships: [];
      };
    };
    Functions: {
      accept_invite: {
        Args: { token: string };
        Returns: string;
      };
      accept_remembered_invite: {
        Args: Record<PropertyKey, never>;
        Returns: string;
      };
      account_email: {
        Args: { id: string };
        Returns: { kind: string; old_email: string; new_email: string; token: string }[];
      };
      add_comment: {
        Args: { post_id: string; thread_id: string; text: string; mentions?: string[] | null; idempotency_key?: string | null };
        Returns: Json;
      };
      add_domain: {
        Args: { workspace_id: string; host: string; shown: string };
        Returns: Database["public"]["Tables"]["domains"]["Row"];
      };
      add_report_recipient: {
        Args: { workspace_id: string; email: string };
        Returns: Json;
      };
      add_subscriber: {
        Args: { workspace_id: string; email: string; frequency?: string | null; tags?: string[] | null };
        Returns: Json;
      };
      analytics: {
        Args: { workspace_id: string; from_day?: string | null; to_day?: string | null };
        Returns: Json;
      };
      approve_assistant: {
        Args: { workspace_id: string; asked: unknown; scopes: string[]; code_hash: string };
        Returns: null;
      };
      archive_post: {
        Args: { post_id: string };
        Returns: Database["public"]["Views"]["post_summaries"]["Row"];
      };
      ask_review: {
        Args: {
          post_id: string;
          version?: number | null;
          publish_at?: string | null;
          note?: string | null;
          idempotency_key?: string | null;
        };
        Returns: Json;
      };
      assistant_places: {
        Args: { client_id: string };
        Returns: { id: string; name: string; role: Database["public"]["Enums"]["member_role"]; connected: boolean }[];
      };
      autosave_new_post: {
        Args: {
          workspace_id: string;
          title: string;
          content_raw: unknown;
          tags?: string[] | null;
          idempotency_key?: string | null;
          summary?: string | null;
          cover_image?: unknown | null;
        };
        Returns: Database["public"]["Views"]["post_details"]["Row"];
      };
      autosave_post: {
        Args: { post_id: string; patch: unknown; expected_version?: number | null; idempotency_key?: string | null };
        Returns: Database["public"]["Views"]["post_details"]["Row"];
      };
      backup_rows: {
        Args: { run: string; lease: string; part: string; after?: string | null };
        Returns: Json;
      };
      backup_settings: {
        Args: { workspace_id: string };
        Returns: Json;
      };
      backup_to_make: {
        Args: { run: string; attempt: number };
        Returns: Json;
      };
      begin_import: {
        Args: { workspace_id: string; source: string; name: string; total: number; idempotency_key?: string | null };
        Returns: Json;
      };
      begin_restore: {
        Args: { workspace_id: string; source_id: string; key: string; name: string; subdomain: string; idempotency_key?: string | null };
        Returns: Json;
      };
      begin_thread: {
        Args: {
          post_id: string;
          text: string;
          block_id?: string | null;
          mentions?: string[] | null;
          quote?: string | null;
          idempotency_key?: string | null;
        };
        Returns: Json;
      };
      change_comment: {
        Args: { post_id: string; thread_id: string; comment_id: string; text: string; mentions?: string[] | null };
        Returns: Json;
      };
      change_proposal: {
        Args: { post_id: string; proposal_id: string; version: number; content: unknown; note?: string | null };
        Returns: Json;
      };
      change_report: {
        Args: { token: string; action: string };
        Returns: boolean;
      };
      change_tag: {
        Args: { workspace_id: string; key: string; label?: string | null; colour?: string | null };
        Returns: Json;
      };
      change_template: {
        Args: {
          workspace_id: string;
          template_id: string;
          name: string;
          content_raw: unknown;
          title?: string | null;
          summary?: string | null;
          tags?: string[] | null;
        };
        Returns: Database["public"]["Tables"]["templates"]["Row"];
      };
      change_webhook: {
        Args: { workspace_id: string; webhook: string; changes: unknown };
        Returns: Json;
      };
      change_workspace: {
        Args: { workspace_id: string; changes: unknown };
        Returns: Database["public"]["CompositeTypes"]["my_workspace"];
      };
      check_sign_up: {
        Args: { email: string; token: string };
        Returns: null;
      };
      compare_entries: {
        Args: { workspace_id: string; entries: unknown };
        Returns: Json;
      };
      count_posts: {
        Args: { workspace_id: string; status?: string | null };
        Returns: number;
      };
      create_account_by_link: {
        Args: { token: string; email: string; password: string; full_name: string };
        Returns: boolean;
      };
      create_api_key: {
        Args: {
          workspace_id: string;
          name: string;
          scopes: string[];
          secret_hash: string;
          start: string;
          last4: string;
          expires_at?: string | null;
        };
        Returns: Database["public"]["CompositeTypes"]["api_key"];
      };
      create_invite: {
        Args: { workspace_id: string; role: string; email?: string | null; expires_at?: string | null; idempotency_key?: string | null };
        Returns: Database["public"]["CompositeTypes"]["new_invite"];
      };
      create_post: {
        Args: {
          workspace_id: string;
          title: string;
          content_raw: unknown;
          tags?: string[] | null;
          publish_at?: string | null;
          status?: string | null;
          idempotency_key?: string | null;
          summary?: string | null;
          cover_image?: unknown | null;
          published_at?: string | null;
          author_id?: string | null;
          notify?: boolean | null;
        };
        Returns: Database["public"]["Views"]["post_details"]["Row"];
      };
      create_preview_link: {
        Args: { post_id: string; token: string; days?: number | null; allows_comments?: boolean | null };
        Returns: Database["public"]["CompositeTypes"]["preview_link"];
      };
      create_tag: {
        Args: { workspace_id: string; label: string; colour?: string | null };
        Returns: Database["public"]["CompositeTypes"]["tag"];
      };
      create_template: {
        Args: {
          workspace_id: string;
          name: string;
          content_raw: unknown;
          title?: string | null;
          summary?: string | null;
          tags?: string[] | null;
        };
        Returns: Database["public"]["Tables"]["templates"]["Row"];
      };
      create_webhook: {
        Args: { workspace_id: string; webhook: unknown };
        Returns: Json;
      };
      create_workspace: {
        Args: { name: string; subdomain: string; origin: string; job_title: string; idempotency_key?: string | null };
        Returns: Database["public"]["CompositeTypes"]["my_workspace"];
      };
      dashboard: {
        Args: { workspace_id: string };
        Returns: Json;
      };
      decide_proposal: {
        Args: { post_id: string; proposal_id: string; decision: string; note?: string | null; seen?: string | null };
        Returns: Json;
      };
      decide_review: {
        Args: { post_id: string; review_id: string; version: number; decision: string; note?: string | null };
        Returns: Json;
      };
      delete_account: {
        Args: { password: string };
        Returns: boolean;
      };
      delete_tag: {
        Args: { workspace_id: string; key: string };
        Returns: Json;
      };
      delete_template: {
        Args: { workspace_id: string; template_id: string };
        Returns: null;
      };
      delete_workspace: {
        Args: { workspace_id: string; name: string };
        Returns: null;
      };
      discarded_files: {
        Args: { max_rows?: number | null };
        Returns: { bucket: string; path: string }[];
      };
      domain_to_check: {
        Args: { id: string };
        Returns: { domain: Json; subdomain: string; has_add_on: boolean }[];
      };
      drop_restore: {
        Args: { workspace_id: string };
        Returns: null;
      };
      duplicate_post: {
        Args: { post_id: string; idempotency_key?: string | null };
        Returns: Database["public"]["Views"]["post_details"]["Row"];
      };
      emails_to_send: {
        Args: { job: string; batch?: number | null; first_week?: number | null };
        Returns: {
          id: string;
          kind: string;
          workspace_id: string;
          workspace_name: string;
          subdomain: string;
          logo_url: string;
          sender_name: string;
          reply_to: string;
          email: string;
          token: string;
          posts: string[];
          month: string;
          appearance: Json;
          domain: string;
          about: string;
          told: Json;
        }[];
      };
      end_account_access: {
        Args: { since: string };
        Returns: number;
      };
      end_assistant: {
        Args: { workspace_id: string; assistant_id: string };
        Returns: null;
      };
      end_backup: {
        Args: { run: string; lease: string; outcome: unknown };
        Returns: null;
      };
      end_other_sessions: {
        Args: Record<PropertyKey, never>;
        Returns: null;
      };
      end_session: {
        Args: { session_id: string };
        Returns: boolean;
      };
      enqueue_digests: {
        Args: Record<PropertyKey, never>;
        Returns: null;
      };
      enqueue_reports: {
        Args: { moment?: string | null };
        Returns: null;
      };
      export_audit: {
        Args: { workspace_id: string; filter?: unknown | null; before?: number | null };
        Returns: Json;
      };
      export_posts: {
        Args: { workspace_id: string; form: string; after?: unknown | null };
        Returns: Json;
      };
      export_rows: {
        Args: { workspace_id: string; part: string; after?: string | null };
        Returns: Json;
      };
      export_subscribers: {
        Args: { workspace_id: string; filter?: unknown | null; after?: string | null };
        Returns: Json;
      };
      find_posts: {
        Args: {
          workspace_id: string;
          term?: string | null;
          owner?: string | null;
          status?: string | null;
          sort?: string | null;
          page?: number | null;
          page_size?: number | null;
          tag?: string | null;
        };
        Returns: Json;
      };
      finish_restore: {
        Args: { workspace_id: string; ours: boolean };
        Returns: null;
      };
      forget_discarded_files: {
        Args: { bucket: string; paths: string[] };
        Returns: number;
      };
      give_back_token: {
        Args: { bucket: string; key: string; size: number };
        Returns: null;
      };
      hand_over_ownership: {
        Args: { workspace_id: string; user_id: string };
        Returns: null;
      };
      import_subscribers: {
        Args: { workspace_id: string; readers: unknown; declared?: string | null; trial?: boolean | null };
        Returns: Json;
      };
      is_operator: {
        Args: Record<PropertyKey, never>;
        Returns: boolean;
      };
      keep_backup: {
        Args: { run: string; lease: string };
        Returns: boolean;
      };
      keep_import_image: {
        Args: { workspace_id: string; import_id: string; url: string; kept: unknown };
        Returns: Json;
      };
      kept_import_image: {
        Args: { workspace_id: string; import_id: string; url: string };
        Returns: Json;
      };
      leave_workspace: {
        Args: { workspace_id: string };
        Returns: null;
      };
      list_account_access: {
        Args: { since: string };
        Returns: Database["public"]["CompositeTypes"]["account_access"][];
      };
      list_api_keys: {
        Args: { workspace_id: string };
        Returns: Database["public"]["CompositeTypes"]["api_key"][];
      };
      list_assistants: {
        Args: { workspace_id: string };
        Returns: Database["public"]["CompositeTypes"]["assistant"][];
      };
      list_audit: {
        Args: { workspace_id: string; filter?: unknown | null; before?: number | null; size?: number | null };
        Returns: Json;
      };
      list_imports: {
        Args: { workspace_id: string };
        Returns: Json;
      };
      list_posts: {
        Args: { workspace_id: string; status?: string | null; page?: number | null; page_size?: number | null };
        Returns: Json;
      };
      list_preview_links: {
        Args: { post_id: string };
        Returns: Database["public"]["CompositeTypes"]["preview_link"][];
      };
      list_subscribers: {
        Args: { workspace_id: string; filter?: unknown | null; page?: number | null; size?: number | null };
        Returns: Json;
      };
      list_tags: {
        Args: { workspace_id: string };
        Returns: Json;
      };
      list_webhooks: {
        Args: { workspace_id: string };
        Returns: Json;
      };
      look_at_domain: {
        Args: { workspace_id: string; host: string };
        Returns: Database["public"]["Tables"]["domains"]["Row"];
      };
      mail_audience: {
        Args: { workspace_id: string; tags?: string[] | null; post_id?: string | null };
        Returns: Json;
      };
      mail_posts: {
        Args: { ids: string[] };
        Returns: {
          id: string;
          slug: string;
          title: string;
          excerpt: string;
          tags: string[];
          content_raw: Json;
          author_name: string;
          published_at: string;
          version: number;
        }[];
      };
      make_mailed_invite_token: {
        Args: { invite_id: string };
        Returns: string;
      };
      may_backup: {
        Args: { workspace_id: string };
        Returns: null;
      };
      merge_tags: {
        Args: { workspace_id: string; key: string; into_key: string };
        Returns: Json;
      };
      my_key: {
        Args: Record<PropertyKey, never>;
        Returns: Json;
      };
      my_sessions: {
        Args: Record<PropertyKey, never>;
        Returns: Database["public"]["CompositeTypes"]["my_session"][];
      };
      my_workspaces: {
        Args: Record<PropertyKey, never>;
        Returns: Database["public"]["CompositeTypes"]["my_workspace"][];
      };
      network_key: {
        Args: Record<PropertyKey, never>;
        Returns: string;
      };
      new_post: {
        Args: { workspace_id: string; post: unknown; idempotency_key?: string | null };
        Returns: Database["public"]["Views"]["post_details"]["Row"];
      };
      note_invite_mailed: {
        Args: { invite_id: string };
        Returns: null;
      };
      note_mail_events: {
        Args: { events: unknown };
        Returns: number;
      };
      note_sign_in: {
        Args: Record<PropertyKey, never>;
        Returns: null;
      };
      og_image_to_draw: {
        Args: { id: string };
        Returns: {
          workspace_name: string;
          logo_url: string;
          logo_dark_url: string;
          appearance: Json;
          title: string;
          published_at: string;
        }[];
      };
      open_waiting_account: {
        Args: { link: string; browser: string };
        Returns: boolean;
      };
      operator_grant_add_on: {
        Args: { workspace_id: string; add_on: string };
        Returns: null;
      };
      operator_overview: {
        Args: Record<PropertyKey, never>;
        Returns: Json;
      };
      operator_people: {
        Args: { search?: string | null; page?: number | null };
        Returns: Json;
      };
      operator_resume: {
        Args: { workspace_id: string };
        Returns: null;
      };
      operator_sign_up_link: {
        Args: { user_id: string };
        Returns: string;
      };
      operator_suspend: {
        Args: { workspace_id: string; message?: string | null };
        Returns: null;
      };
      operator_workspaces: {
        Args: { search?: string | null; page?: number | null };
        Returns: Json;
      };
      own_hosts: {
        Args: { workspace_ids?: string[] | null };
        Returns: { workspace_id: string; host: string }[];
      };
      ping_webhook: {
        Args: { workspace_id: string; webhook: string };
        Returns: Json;
      };
      post_analytics: {
        Args: { workspace_id: string; post_id: string; from_day?: string | null; to_day?: string | null };
        Returns: Json;
      };
      post_named: {
        Args: { workspace_id: string; external_id: string };
        Returns: Database["public"]["Views"]["post_details"]["Row"];
      };
      post_threads: {
        Args: { post_id: string };
        Returns: Json;
      };
      post_views: {
        Args: { workspace_id: string };
        Returns: { post_id: string; views: number }[];
      };
      posts_after: {
        Args: { workspace_id: string; filter?: unknown | null; after?: unknown | null; size?: number | null };
        Returns: Json;
      };
      posts_of: {
        Args: { workspace_id: string; ids: string[] };
        Returns: Database["public"]["Views"]["post_summaries"]["Row"][];
      };
      propose_change: {
        Args: { post_id: string; version: number; content: unknown; note?: string | null; idempotency_key?: string | null };
        Returns: Json;
      };
      purge_post: {
        Args: { post_id: string };
        Returns: string[];
      };
      put_post: {
        Args: { workspace_id: string; external_id: string; post: unknown; expected_version?: number | null; only_new?: boolean | null };
        Returns: Json;
      };
      read_backup: {
        Args: { workspace_id: string };
        Returns: Json;
      };
      read_import: {
        Args: { workspace_id: string; import_id: string };
        Returns: Json;
      };
      read_invite: {
        Args: { token: string };
        Returns: Database["public"]["CompositeTypes"]["invite_info"];
      };
      read_post: {
        Args: { post_id: string };
        Returns: Database["public"]["Views"]["post_details"]["Row"];
      };
      read_proposal: {
        Args: { post_id: string; proposal_id: string };
        Returns: Json;
      };
      read_sign_up_offer: {
        Args: Record<PropertyKey, never>;
        Returns: Database["public"]["CompositeTypes"]["sign_up_offer"];
      };
      read_template: {
        Args: { workspace_id: string; template_id: string };
        Returns: Database["public"]["Tables"]["templates"]["Row"];
      };
      release_notes_context: {
        Args: { workspace_id: string; since?: string | null };
        Returns: Json;
      };
      remember_invite: {
        Args: { email: string; token: string };
        Returns: null;
      };
      remove_backup: {
        Args: { workspace_id: string };
        Returns: null;
      };
      remove_comment: {
        Args: { post_id: string; thread_id: string; comment_id: string };
        Returns: null;
      };
      remove_domain: {
        Args: { workspace_id: string; host: string };
        Returns: null;
      };
      remove_member: {
        Args: { workspace_id: string; user_id: string };
        Returns: null;
      };
      remove_report_recipient: {
        Args: { workspace_id: string; recipient: string };
        Returns: null;
      };
      remove_subscriber: {
        Args: { workspace_id: string; subscriber: string; erase?: boolean | null };
        Returns: null;
      };
      remove_webhook: {
        Args: { workspace_id: string; webhook: string };
        Returns: null;
      };
      report_link: {
        Args: { token: string };
        Returns: Json;
      };
      report_numbers: {
        Args: { workspace_id: string; month: string };
        Returns: Json;
      };
      request_email_change: {
        Args: { email: string; password: string };
        Returns: boolean;
      };
      request_upgrade: {
        Args: { workspace_id: string; add_ons: string[] };
        Returns: boolean;
      };
      resend_delivery: {
        Args: { workspace_id: string; delivery: string; webhook?: string | null };
        Returns: Json;
      };
      resend_failed: {
        Args: { workspace_id: string; webhook: string; since: string };
        Returns: number;
      };
      restore_objects: {
        Args: { workspace_id: string; document: unknown };
        Returns: null;
      };
      restore_revision: {
        Args: { post_id: string; version: number; expected_version?: number | null };
        Returns: Database["public"]["Views"]["post_details"]["Row"];
      };
      restore_rows: {
        Args: { workspace_id: string; part: string; rows: unknown };
        Returns: null;
      };
      review_rule: {
        Args: { workspace_id: string };
        Returns: string;
      };
      review_standing: {
        Args: { post_id: string };
        Returns: Json;
      };
      revoke_api_key: {
        Args: { workspace_id: string; key_id: string };
        Returns: null;
      };
      revoke_invite: {
        Args: { invite_id: string };
        Returns: null;
      };
      revoke_preview_link: {
        Args: { post_id: string; link_id: string };
        Returns: null;
      };
      rotate_api_key: {
        Args: { workspace_id: string; key_id: string; secret_hash: string; start: string; last4: string };
        Returns: Database["public"]["CompositeTypes"]["api_key"];
      };
      rotate_webhook: {
        Args: { workspace_id: string; webhook: string; sealed: string };
        Returns: Json;
      };
      run_backup: {
        Args: { workspace_id: string };
        Returns: Json;
      };
      save_appearance: {
        Args: { workspace_id: string; settings?: unknown | null; pictures?: unknown | null };
        Returns: Database["public"]["Tables"]["appearances"]["Row"];
      };
      save_backup: {
        Args: { workspace_id: string; settings: unknown };
        Returns: Json;
      };
      save_house_style: {
        Args: { workspace_id: string; text: string };
        Returns: Database["public"]["Tables"]["house_styles"]["Row"];
      };
      save_mail_settings: {
        Args: { workspace_id: string; settings: unknown };
        Returns: Database["public"]["Tables"]["mail_settings"]["Row"];
      };
      save_post: {
        Args: { post_id: string; patch: unknown; expected_version?: number | null; idempotency_key?: string | null };
        Returns: Database["public"]["Views"]["post_details"]["Row"];
      };
      save_widget_settings: {
        Args: { workspace_id: string; settings: unknown };
        Returns: Json;
      };
      search_posts: {
        Args: { workspace_id: string; term: string; max_rows?: number | null };
        Returns: Database["public"]["Views"]["post_summaries"]["Row"][];
      };
      search_public: {
        Args: { workspace_id: string; term: string; size?: number | null };
        Returns: Json;
      };
      set_invite_role: {
        Args: { workspace_id: string; invite_id: string; role: string };
        Returns: Database["public"]["Enums"]["member_role"];
      };
      set_member_role: {
        Args: { workspace_id: string; user_id: string; role: string };
        Returns: Database["public"]["Enums"]["member_role"];
      };
      set_my_report: {
        Args: { workspace_id: string; gets: boolean };
        Returns: boolean;
      };
      set_public_changelog: {
        Args: { workspace_id: string; enabled: boolean };
        Returns: boolean;
      };
      set_review_rule: {
        Args: { workspace_id: string; rule: string };
        Returns: string;
      };
      settle_domain: {
        Args: { host: string; token: string; was: string; outcome: unknown };
        Returns: Database["public"]["Tables"]["domains"]["Row"];
      };
      settle_emails: {
        Args: { job: string; outcomes: unknown };
        Returns: number;
      };
      settle_og_image: {
        Args: { id: string; lease: string; path: string };
        Returns: boolean;
      };
      settle_tags: {
        Args: { workspace_id: string };
        Returns: boolean;
      };
      settle_thread: {
        Args: { post_id: string; thread_id: string; resolved: boolean };
        Returns: Json;
      };
      settle_webhook: {
        Args: { delivery: string; lease: string; result: unknown };
        Returns: null;
      };
      subdomain_status: {
        Args: { subdomain: string };
        Returns: string;
      };
      subscriber_numbers: {
        Args: { workspace_id: string };
        Returns: Json;
      };
      subscribers_after: {
        Args: { workspace_id: string; filter?: unknown | null; after?: string | null; size?: number | null };
        Returns: Json;
      };
      take_token: {
        Args: { bucket: string; key: string; size: number; period_seconds: number };
        Returns: number;
      };
      team_members: {
        Args: { workspace_id: string };
        Returns: Database["public"]["CompositeTypes"]["team_member"][];
      };
      undo_archive: {
        Args: { post_id: string; expected_version: number };
        Returns: Database["public"]["Views"]["post_details"]["Row"];
      };
      undo_email_change: {
        Args: { token: string };
        Returns: string;
      };
      undo_import: {
        Args: { workspace_id: string; import_id: string };
        Returns: Json;
      };
      upcoming_posts: {
        Args: { workspace_id?: string | null };
        Returns: Database["public"]["Views"]["post_summaries"]["Row"][];
      };
      waiting_for_me: {
        Args: { workspace_id: string };
        Returns: Json;
      };
      webhook_deliveries: {
        Args: { workspace_id: string; webhook: string; state?: string | null; before?: unknown | null; size?: number | null };
        Returns: Json;
      };
      webhook_to_send: {
        Args: { delivery: string };
        Returns: {
          event_id: string;
          type: string;
          happened_at: string;
          webhook_id: string;
          kind: string;
          url: string;
          sealed: string;
          sealed_before: string;
          workspace_id: string;
          workspace_name: string;
          subdomain: string;
          domain: string;
          post: Json;
          facts: Json;
        }[];
      };
      withdraw_proposal: {
        Args: { post_id: string; proposal_id: string };
        Returns: null;
      };
      withdraw_review: {
        Args: { post_id: string; review_id: string };
        Returns: null;
      };
      work_jobs: {
        Args: { ended?: unknown | null; capacity?: unknown | null };
        Returns: { id: string; task: string; workspace_id: string; attempt: number; lease: string }[];
      };
      workspace_address: {
        Args: { workspace_id: string };
        Returns: Json;
      };
      workspace_reports: {
        Args: { workspace_id: string };
        Returns: Json;
      };
      workspace_role: {
        Args: { workspace_id: string };
        Returns: string;
      };
      workspace_stats: {
        Args: { workspace_id: string };
        Returns: Json;
      };
      write_entries: {
        Args: { workspace_id: string; import_id: string; entries: unknown };
        Returns: Json;
      };
    };
    Enums: {
      member_role: "owner" | "admin" | "editor" | "viewer";
      post_status: "draft" | "scheduled" | "published" | "archived";
      sign_up_mode: "open" | "invited" | "domains" | "closed";
      subscriber_frequency: "instant" | "daily" | "weekly";
      subscriber_status: "pending" | "active" | "paused" | "left" | "suppressed";
    };
    CompositeTypes: {
      account_access: {
        kind: string;
        id: string;
        name: string;
        workspace_id: string;
        workspace_name: string;
        made_at: string;
        last_used_at: string | null;
        expires_at: string | null;
      };
      api_key: {
        id: string;
        name: string;
        scopes: string[];
        start: string;
        last4: string;
        state: string;
        created_by: string;
        created_by_name: string;
        created_at: string;
        expires_at: string | null;
        last_used_at: string | null;
        rotated_at: string | null;
        former_until: string | null;
        revoked_at: string | null;
      };
      assistant: {
        id: string;
        name: string;
        client_id: string;
        host: string;
        scopes: string[];
        created_by: string;
        created_by_name: string;
        created_at: string;
        last_used_at: string | null;
        expires_at: string;
      };
      invite_info: { workspace_id: string; workspace_name: string; invited_role: Database["public"]["Enums"]["member_role"] };
      my_session: { id: string; user_agent: string | null; created_at: string; last_used_at: string; current: boolean };
      my_workspace: {
        id: string;
        name: string;
        subdomain: string;
        origin: string | null;
        allowed_origins: string[];
        logo_url: string | null;
        public_changelog_enabled: boolean;
        created_at: string;
        role: Database["public"]["Enums"]["member_role"];
        suspension: Json | null;
      };
      new_invite: {
        id: string;
        workspace_id: string;
        role: Database["public"]["Enums"]["member_role"];
        email: string | null;
        expires_at: string;
        created_at: string;
        token: string;
        repeated: boolean;
        mailed: boolean;
        renewed: boolean;
      };
      preview_link: {
        id: string;
        created_at: string;
        created_by_name: string | null;
        expires_at: string;
        allows_comments: boolean;
        token: string;
      };
      sign_up_offer: { mode: Database["public"]["Enums"]["sign_up_mode"]; domains: string[]; is_offered: boolean };
      tag: { key: string; label: string; colour: string };
      team_member: {
        user_id: string;
        full_name: string;
        email: string | null;
        role: Database["public"]["Enums"]["member_role"];
        avatar_url: string | null;
        created_at: string;
      };
    };
  };
}

type Public = Database["public"];

/** A row of a table or view. */
export type RowOf<Name extends keyof (Public["Tables"] & Public["Views"])> = (Public["Tables"] & Public["Views"])[Name]["Row"];
/** What a function answers with. */
export type AnswerOf<Name extends keyof Public["Functions"]> = Public["Functions"][Name]["Returns"];
