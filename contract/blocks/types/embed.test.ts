import { describe, expect, test } from "vitest";
import { embed, videoAt } from "#contract/blocks/types/embed.ts";

const loom = "0281766fa2d04bb788eaf19e65135184";

describe("a video", () => {
  test.each([
    [
      "https://www.youtube.com/watch?v=aqz-KE-bpKQ&list=x",
      "https://www.youtube.com/watch?v=aqz-KE-bpKQ",
      "https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ",
    ],
    [
      "https://m.youtube.com/watch?t=1s&v=aqz-KE-bpKQ",
      "https://www.youtube.com/watch?v=aqz-KE-bpKQ&t=1",
      "https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?start=1",
    ],
    [
      "https://youtu.be/aqz-KE-bpKQ?si=tracking",
      "https://www.youtube.com/watch?v=aqz-KE-bpKQ",
      "https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ",
    ],
    [
      "https://youtube.com/shorts/aqz-KE-bpKQ",
      "https://www.youtube.com/watch?v=aqz-KE-bpKQ",
      "https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ",
    ],
    ["https://vimeo.com/76979871", "https://vimeo.com/76979871", "https://player.vimeo.com/video/76979871?dnt=1"],
    [
      "https://vimeo.com/76979871/8272103f6e",
      "https://vimeo.com/76979871/8272103f6e",
      "https://player.vimeo.com/video/76979871?dnt=1&h=8272103f6e",
    ],
    [
      "https://player.vimeo.com/video/76979871?h=8272103f6e",
      "https://vimeo.com/76979871/8272103f6e",
      "https://player.vimeo.com/video/76979871?dnt=1&h=8272103f6e",
    ],
    [`https://www.loom.com/share/${loom}?sid=x`, `https://www.loom.com/share/${loom}`, `https://www.loom.com/embed/${loom}`],
  ])("is known by %s", (address, url, player) => {
    expect(videoAt(address)).toMatchObject({ url, player });
    expect(videoAt(url)).toMatchObject({ url, player });
    expect(embed.frames).toContain(new URL(player).origin);
  });

  test.each([
    "http://www.youtube.com/watch?v=aqz-KE-bpKQ",
    "https://www.youtube.com/",
    "https://www.youtube.com/@channel",
    "https://www.youtube.com/watch?v=short",
    "https://www.youtube.com.evil.example/watch?v=aqz-KE-bpKQ",
    "https://evil.example/https://youtu.be/aqz-KE-bpKQ",
    "https://user@youtu.be/aqz-KE-bpKQ",
    "https://youtu.be:8443/aqz-KE-bpKQ",
    "https://vimeo.com/about",
    "https://www.loom.com/looms/videos",
    "//youtu.be/aqz-KE-bpKQ",
    "javascript:alert(1)//youtu.be/aqz-KE-bpKQ",
    "",
  ])("isn't recognised at %s", (address) => expect(videoAt(address)).toBeNull());

  test("an invalid URL leaves nothing", () => {
    const limits = {} as never;
    expect(embed.clean({ url: "https://example.com/video" }, limits)).toBeNull();
    expect(embed.clean({ service: "youtube", source: "https://youtu.be/aqz-KE-bpKQ" }, limits)).toEqual({
      url: "https://www.youtube.com/watch?v=aqz-KE-bpKQ",
      caption: "",
    });
  });
});
