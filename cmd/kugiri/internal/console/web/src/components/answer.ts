// What a form needs that waits for an answer: somebody may close it first, and write into another one.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { explain } from "../api/dynamodb";
import { toast } from "./toast";

interface Answer {
  error: string;
  say: (error: string) => void;
  fail: (error: unknown) => void; // says what is wrong: in the form, or in a message if that is gone
  isOpen: () => boolean; // false: what is open by now is another form
}

export function useAnswer(): Answer {
  const [error, say] = useState("");
  const open = useRef(true);
  useLayoutEffect(() => { // an effect that waits for a frame misses the end of a form that ends before it
    open.current = true;
    return () => void (open.current = false);
  }, []);
  const fail = (e: unknown) => {
    if (open.current) say(explain(e));
    else if (!(e instanceof DOMException && e.name === "AbortError")) toast(explain(e)); // else the end of the form has ended it
  };
  return { error, say, fail, isOpen: () => open.current };
}
