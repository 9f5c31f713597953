/** author_name, else created_by's name, else 'Unknown'. Source: specification, section 5. */
export function creatorName(post: { author_name: string | null; created_by_name: string | null }): string {
  return post.author_name?.trim() || post.created_by_name?.trim() || "Unknown";
}
