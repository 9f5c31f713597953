// Made by scripts/font-files.ts of the packages, and a test compares.
import type { ServedFont } from "./font-sources.ts";

export interface FontFile {
  /** Below the origin that the page is read at. */
  url: string;
  part: "latin" | "latin-ext";
  style: "normal" | "italic";
  /** The characters that it has: browsers fetch a part when a page has letters of it. */
  range: string;
}

/** Where the parts of a typeface are served, each in every weight; the first is the one that nearly every page needs. */
export const fontFiles: Readonly<Record<ServedFont, readonly FontFile[]>> = {
  inter: [
    {
      part: "latin",
      style: "normal",
      url: "/fonts/inter-latin-normal-3100e775e8616cd2.woff2",
      range:
        "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD",
    },
    {
      part: "latin",
      style: "italic",
      url: "/fonts/inter-latin-italic-7291b5970da22374.woff2",
      range:
        "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD",
    },
    {
      part: "latin-ext",
      style: "normal",
      url: "/fonts/inter-latin-ext-normal-34b9c504cab7a73e.woff2",
      range:
        "U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF",
    },
  ],
  geist: [
    {
      part: "latin",
      style: "normal",
      url: "/fonts/geist-latin-normal-19f9c92546aa300c.woff2",
      range:
        "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD",
    },
    {
      part: "latin",
      style: "italic",
      url: "/fonts/geist-latin-italic-9b10496762af9265.woff2",
      range:
        "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD",
    },
    {
      part: "latin-ext",
      style: "normal",
      url: "/fonts/geist-latin-ext-normal-824f485b5d26e2f2.woff2",
      range:
        "U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF",
    },
  ],
  "source-serif": [
    {
      part: "latin",
      style: "normal",
      url: "/fonts/source-serif-latin-normal-382475f38242c52d.woff2",
      range:
        "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD",
    },
    {
      part: "latin",
      style: "italic",
      url: "/fonts/source-serif-latin-italic-b4f56ddc9873487f.woff2",
      range:
        "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD",
    },
    {
      part: "latin-ext",
      style: "normal",
      url: "/fonts/source-serif-latin-ext-normal-d10ccbbd0dc4ebae.woff2",
      range:
        "U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C4,U+2113,U+2C60-2C7F,U+A720-A7FF",
    },
  ],
  roboto: [
    {
      part: "latin",
      style: "normal",
      url: "/fonts/roboto-latin-normal-1404ca348bd75ef8.woff2",
      range:
        "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD",
    },
    {
      part: "latin",
      style: "italic",
      url: "/fonts/roboto-latin-italic-14f23757c6b41b4b.woff2",
      range:
        "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD",
    },
    {
      part: "latin-ext",
      style: "normal",
      url: "/fonts/roboto-latin-ext-normal-cedb374b05a35034.woff2",
      range:
        "U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF",
    },
  ],
};
