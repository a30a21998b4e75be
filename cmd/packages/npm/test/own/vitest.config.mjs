import kugiri from "kugiri/vitest";
import { defineConfig } from "vitest/config";

export default defineConfig({ plugins: [kugiri()], test: { globalSetup: "own/tables.mjs" } });
