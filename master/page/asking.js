// What is asked of the master, with the token that the page was opened with.
// The token comes behind the # of the link, which no browser sends; it stays in this window.
// A view may stand behind it, as in #token=.../timeline.

const KEY = "manyply-token";
const ANSWER_MS_MAX = 70_000;

export function receiveToken() {
  const found = /^#token=([A-Za-z0-9_-]{32,128})(\/[a-z]+)?$/.exec(location.hash);
  if (found) {
    sessionStorage.setItem(KEY, found[1]);
    history.replaceState(null, "", location.pathname + (found[2] ? `#${found[2]}` : ""));
  }
}

export const hasToken = () => sessionStorage.getItem(KEY) !== null;

export const dropToken = () => sessionStorage.removeItem(KEY);

export class Refused extends Error {
  constructor(status, code, text) {
    super(text);
    this.status = status;
    this.code = code;
  }
}

export async function ask(path, body) {
  const fields = {};
  if (hasToken()) fields.Authorization = `Bearer ${sessionStorage.getItem(KEY)}`;
  if (body !== undefined) fields["Content-Type"] = "application/json";
  const response = await fetch(path, {
    method: body === undefined ? "GET" : "POST",
    headers: fields,
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  });
  const told = await response.json();
  if (!response.ok) throw new Refused(response.status, told.code, told.text);
  return told;
}
