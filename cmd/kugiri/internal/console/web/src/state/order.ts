// The order of answers.

/**
 * Tells old answers to a question that is asked again and again: what it returns is called when the
 * question is asked, and what that returns, once, when the answer is there. It is false if the answer
 * to a later question has come before.
 */
export function inOrder(): () => () => boolean {
  let asked = 0;
  let answered = 0;
  return () => {
    const own = ++asked;
    return () => {
      if (own < answered) return false;
      answered = own;
      return true;
    };
  };
}
