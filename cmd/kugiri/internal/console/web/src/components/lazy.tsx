// Components whose script comes when they are first shown.

import type { ComponentType } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { explain } from "../api/dynamodb";
import { toast } from "./toast";

export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Lazy(props: P) {
    const [Component, setComponent] = useState<ComponentType<P> | undefined>(() => loaded);
    useLayoutEffect(() => {
      if (Component) return;
      load().then((one) => {
        loaded = one;
        setComponent(() => one);
      }, (e: unknown) => toast(explain(e)));
    }, []);
    return Component ? <Component {...props} /> : null;
  };
}
