"use strict";

/** An answer of the admin API that is no success. */
class AdminError extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** Sends a request to the admin API, and returns its answer. */
async function request(endpoint, method, path, body) {
  const response = await fetch(`${endpoint}/_kugiri/${path}`, {
    method,
    headers: body && { "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new AdminError(`kugiri: ${method} /_kugiri/${path}: ${text.trim()}`, response.status);
  return text ? JSON.parse(text) : undefined;
}

module.exports = { request };
