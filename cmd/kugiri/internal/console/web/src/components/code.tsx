// Code shows a request as a program in the language that one chooses.

import { languages, type Call, type CodeLanguage, type Target } from "../api/code";
import { explain } from "../api/dynamodb";
import { t } from "../i18n";
import { identity } from "../state/identity";
import { session } from "../state/session";
import { kept } from "../state/settings";
import { Button, Choice, Problem } from "./controls";
import { copy } from "./toast";

const chosen = kept<CodeLanguage>("code", "cli");

export function Code({ call }: { call: Call | undefined }) {
  const language = Object.hasOwn(languages, chosen.value) ? chosen.value : "cli";
  const { text, error } = write(language, call);
  return (
    <div class="code-panel">
      <div class="line">
        <Choice
          label={t("code.language")}
          value={language}
          options={(Object.keys(languages) as CodeLanguage[]).map((one) => ({ value: one, text: languages[one].name }))}
          onChange={(to) => (chosen.value = to)}
        />
        <Button icon="copy" label={t("code.copy")} disabled={!text} onClick={() => void copy(text, t("common.copied"))} />
      </div>
      <Problem text={error} />
      <pre class="mono code" tabIndex={0} aria-label={languages[language].name} role="region">{text}</pre>
    </div>
  );
}

function write(language: CodeLanguage, call: Call | undefined): { text: string; error: string } {
  if (!call) return { text: "", error: "" };
  try {
    return { text: languages[language].write(call, targetOf()), error: "" };
  } catch (e) {
    return { text: "", error: explain(e) };
  }
}

// targetOf is where the page sends its requests. A server that takes any access key gets that whose
// tables the page shows.
function targetOf(): Target {
  const s = session.value!;
  const own = !s.readOnly; // the server of the page
  const { accessKey, region } = identity.value;
  return { endpoint: s.endpoint || (own ? location.origin : ""), region, accessKey: own || s.choice ? accessKey : "" };
}
