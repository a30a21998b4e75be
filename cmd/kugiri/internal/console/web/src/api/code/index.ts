// Requests as programs.

import { cli } from "./cli";
import { go } from "./go";
import { java } from "./java";
import { javascript, javascriptDocument } from "./javascript";
import { python } from "./python";
import type { Call, Target } from "./request";

export type { Call, Target } from "./request";

export const languages = {
  cli: { name: "AWS CLI", write: cli },
  go: { name: "Go", write: go },
  python: { name: "Python", write: python },
  javascript: { name: "JavaScript", write: javascript },
  document: { name: "JS document", write: javascriptDocument },
  java: { name: "Java", write: java },
} satisfies { [id: string]: { name: string; write: (call: Call, target: Target) => string } };

export type CodeLanguage = keyof typeof languages;
