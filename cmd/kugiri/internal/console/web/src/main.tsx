import "./style/main.css";
import { render } from "preact";
import { takeToken } from "./api/http";
import { App } from "./app";
import { loadCurrentView, loadTheRest } from "./registry";
import { keepFocus } from "./state/focus";
import { beginSession } from "./state/session";

takeToken();
void beginSession();
void loadCurrentView().then(whenIdle); // meanwhile
const root = document.getElementById("app")!;
render(<App />, root);
keepFocus(root);

// whenIdle loads the rest once the browser has shown what was asked for.
function whenIdle(): void {
  requestIdleCallback(() => void loadTheRest(), { timeout: 5000 });
}
