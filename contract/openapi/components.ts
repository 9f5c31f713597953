import type { z } from "zod";
import { analytics, analyticsTotals } from "../analytics.ts";
import { audience, audienceTest } from "../audience.ts";
import { errorBody, problem } from "../error-body.ts";
import { dnsRecord, domain } from "../domains.ts";
import { block } from "../posts.ts";
import { importOutcome, subscriber } from "../subscribers.ts";
import { tag } from "../tag-endpoints.ts";
import { keyInUse } from "../api-keys.ts";
import { thread } from "../v1/comments.ts";
import { image } from "../v1/images.ts";
import { changedPost, listedPost, newPost, post } from "../v1/posts.ts";
import { review } from "../v1/reviews.ts";
import { listedRevision, revision } from "../v1/revisions.ts";
import { newSubscriber } from "../v1/subscribers.ts";
import { listedTag } from "../v1/tags.ts";
import { delivery, deliveryTry, strictChangedWebhook, strictNewWebhook, webhook } from "../webhooks.ts";

export const components: Readonly<Record<string, z.ZodType>> = {
  Audience: audience,
  AudienceTest: audienceTest,
  AddedSubscribers: importOutcome,
  Analytics: analytics,
  AnalyticsTotals: analyticsTotals,
  Block: block,
  Delivery: delivery,
  DeliveryAttempt: deliveryTry,
  DnsRecord: dnsRecord,
  Domain: domain,
  Error: errorBody,
  Image: image,
  Key: keyInUse,
  ListedPost: listedPost,
  ListedRevision: listedRevision,
  ListedTag: listedTag,
  NewPost: newPost,
  NewSubscriber: newSubscriber,
  NewWebhook: strictNewWebhook,
  Post: post,
  Problem: problem,
  PostChange: changedPost,
  Review: review,
  Revision: revision,
  Subscriber: subscriber,
  Tag: tag,
  Thread: thread,
  Webhook: webhook,
  WebhookChange: strictChangedWebhook,
};
