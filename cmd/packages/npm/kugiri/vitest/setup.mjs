import { startKugiri } from "../index.js";

export default async function setup(project) {
  const server = await startKugiri(project.config.provide.kugiriOptions);
  server.useInProcess();
  project.provide("kugiriEnv", server.env);
  return () => server.stop();
}
