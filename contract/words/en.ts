import { englishBlockWords } from "../blocks/block-words.ts";
import { frequencyLabels } from "../subscriptions.ts";
import { counting } from "./counting.ts";

const count = counting("en");
const updates = (number: number): string => count(number, { one: "# update", other: "# updates" });

/** What readers see, in English. The other languages have the same keys; what has a name or a number in it is a function. */
export const en = {
  page: {
    skip: "Skip to content",
    changelog: "Changelog",
    /** Of the list, for the tab: what it is narrowed to, and its page where that is not the first. */
    title: (only: string | null, page: number | null): string =>
      `Changelog${only === null ? "" : `: ${only}`}${page === null ? "" : `, page ${page}`}`,
    whatIsNew: (name: string): string => `What is new at ${name}`,
    /** The same for search engines and feeds. */
    about: (name: string, only: string | null): string => `What is new at ${name}${only === null ? "" : `: ${only}`}.`,
    newsFrom: (name: string): string => `News from ${name}.`,
    /** What somebody searched for. */
    quoted: (term: string): string => `“${term}”`,
    only: (what: string): string => `Only ${what}.`,
    found: (number: number, term: string): string => `${updates(number)} with ${term}.`,
    showEverything: "Show everything",
    nothingYet: "Nothing published yet",
    nothingYetHint: "News will appear here as soon as there is some.",
    nothingFound: "Nothing found",
    nothingFoundHint: "Other words may find it; a part of a word is enough.",
    searchUpdates: "Search updates",
    search: "Search",
    tags: "Tags",
    byMonth: "By month",
    updates,
    pages: "Pages",
    newer: "← Newer",
    older: "Older →",
    pageOf: (page: number, pages: number): string => `Page ${page} of ${pages}`,
    by: (author: string): string => `By ${author}`,
    readWhole: "Read the whole post",
    otherUpdates: "Other updates",
    before: "← Before this",
    after: "After this →",
    allUpdates: "All updates",
    share: "Share",
    shareOn: (place: string): string => `Share on ${place}`,
    shareByMail: "Share by mail",
    linkTo: (title: string): string => `Link to “${title}”`,
    openImage: "Open the image large",
    edit: "Edit this post",
    links: "Links",
    publishedWith: (product: string): string => `Published with ${product}`,
    notFound: "Page not found",
    nothingHere: "There is nothing at this address",
    nothingHereHint: "The page may have been moved or taken down, or the address may have a slip of the keyboard in it.",
    seeAll: "See all updates",
  },
  /** Within posts: what is said of blocks. */
  content: englishBlockWords,
  subscription: {
    getUpdates: "Get updates by mail",
    yourEmail: "Your email address",
    email: "Email address",
    subscribe: "Subscribe",
    chooseMore: "Choose topics and how often",
    byMail: "Updates by mail",
    lead: (name: string): string => `News from ${name} in your inbox. You can leave with one click at any time.`,
    wrongEmail: "Please enter a valid email address",
    howOften: "How often?",
    instant: frequencyLabels.instant,
    daily: frequencyLabels.daily,
    weekly: frequencyLabels.weekly,
    whichTopics: "Which topics?",
    noneIsAll: "None chosen means all of them.",
    checkMail: "Check your mail",
    sent: (name: string): string =>
      `We have sent you a link. Open it and confirm, and you will hear of what is new at ${name}. Nothing there? Look into the spam folder, or try again later.`,
    backToAll: "Back to all updates",
    confirmed: "You are subscribed.",
    returned: "You are subscribed again.",
    saved: "Your choice is saved.",
    left: "You have left. No more mails will come.",
    yours: "Your subscription",
    oneClick: "One click to go",
    /** `email` is an element, so the sentence comes in two parts: what stands before it and what behind. */
    shallCome: (name: string): Sentence => [`Shall news from ${name} go to `, "?"],
    confirm: "Yes, subscribe me",
    notAsked: "You did not ask for this? Then do nothing: no mail will come.",
    comesTo: (name: string): Sentence => [`News from ${name} goes to `, "."],
    paused: "Mails to this address came back lately, so there is a pause.",
    resume: "Send me mails again",
    topicsGone:
      "The topics you chose are no longer there, so no mails come at the moment. Choose others, or none for all of them, and save.",
    save: "Save",
    leave: "Leave",
    unsubscribe: "Unsubscribe",
    noneTo: (name: string): Sentence => [`No mails from ${name} go to `, "."],
    again: "Subscribe again",
    suppressed: (): Sentence => ["Mails to ", " came back or were reported, so none are sent any more."],
    yourData: "Your data",
    download: "Download what is stored about you",
    eraseAll: "Erase everything about you",
    eraseMeans:
      "Your address, your choices and this page will be gone. What stays is a mark that nobody can read back, so that nobody adds you again.",
    erase: "Erase me",
    erasedTitle: "Erased",
    erased: "Everything about you is erased",
    noMore: "No more mails will come.",
    deadTitle: "This link leads nowhere",
    dead: "This link leads nowhere any more",
    deadHint: "It is incomplete, or the subscription it belonged to is gone. No mails come by it.",
  },
  widget: {
    whatsNew: "What's New",
    latest: "Latest updates and features",
    close: "Close",
    none: "Nothing published yet",
    all: "View all updates",
    mails: "Get updates by mail",
    back: "← Back",
    asPage: "Open as a page",
    unread: (number: number): string => count(number, { other: "# new" }),
  },
  mail: {
    /** Who a mail is from: the workspace, by the product. */
    via: (sender: string, product: string): string => `${sender} via ${product}`,
    manage: "Change what you get, or unsubscribe",
    asked: (name: string): string => `You get this because you asked for news from ${name}.`,
    readOn: "Read it on the web",
    readRest: "Read the rest on the web",
    updatesFrom: (number: number, name: string): string => `${updates(number)} from ${name}`,
    confirmSubject: (name: string): string => `Please confirm: news from ${name} by mail`,
    confirmQuestion: (name: string): string => `Shall news from ${name} come to this address? Nothing is sent before you say yes.`,
    confirm: "Confirm",
    confirmReason: "If you did not ask for this, do nothing: no further mail will come.",
    alreadySubject: (name: string): string => `You already get news from ${name}`,
    already: (name: string): string => `Somebody, most likely you, asked for news from ${name}. They come to this address already.`,
    seeSubscription: "See your subscription",
    alreadyReason: "If it was not you, there is nothing to do.",
  },
};

/** What stands before an element and what behind it. */
export type Sentence = readonly [before: string, behind: string];
export type Words = typeof en;
