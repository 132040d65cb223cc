// The one way to the server: JSON in, JSON out, a deadline on every call, and one kind of error.
//
//   const page = await api.get('/monitors', { query: { limit: 50 }, signal });
//   await api.post('/monitors', { name: 'web' });
//
// Whatever goes wrong arrives as an ApiError. A 401 also fires `signin` on `session`, so pages need not look for it.

import { session } from './session.js';

const TIMEOUT_MS = 10_000;

export class ApiError extends Error {
  /** `kind`: "http" (an answer that refuses), "timeout", "network" (no answer at all). */
  constructor(kind, { status = 0, title, detail, errors = [], retryAfter = null, requestId = null }) {
    super(detail || title);
    this.name = 'ApiError';
    Object.assign(this, { kind, status, title, detail, errors, retryAfter, requestId });
  }

  /** The message for one field of a refused body, or undefined. */
  field(name) {
    return this.errors.find((error) => error.field === name)?.message;
  }
}

export const api = {
  get: (path, options) => call('GET', path, undefined, options),
  post: (path, body, options) => call('POST', path, body, options),
  put: (path, body, options) => call('PUT', path, body, options),
  patch: (path, body, options) => call('PATCH', path, body, options),
  delete: (path, options) => call('DELETE', path, undefined, options),
};

/**
 * `query` becomes the query string (null and undefined are left out); `also` lists refusing statuses whose JSON body
 * is an answer all the same, such as 503 from /health/ready; `signal` cancels, and then the call throws AbortError.
 * `headers` are sent along; with a `Content-Type` among them the body is a text and sent as it is.
 */
async function call(method, path, body, { query, headers = {}, signal, timeout = TIMEOUT_MS, also = [] } = {}) {
  const deadline = AbortSignal.timeout(timeout);
  const response = await send(method, path + queryString(query), content(body, headers), signal, deadline, timeout);
  if (response.ok || also.includes(response.status)) return read(response, deadline, timeout);
  const error = await refusal(response);
  if (error.status === 401 && path !== '/session') session.expire();
  throw error;
}

function content(body, headers) {
  const all = { Accept: 'application/json, application/problem+json', ...headers };
  if (body === undefined || 'Content-Type' in headers) return { headers: all, body };
  return { headers: { ...all, 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

async function send(method, url, { headers, body }, signal, deadline, timeout) {
  try {
    return await fetch(url, {
      method,
      headers,
      body,
      credentials: 'same-origin',
      cache: 'no-store',
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
  } catch (cause) {
    throw signal?.aborted ? cause : noAnswer(deadline, timeout);
  }
}

async function read(response, deadline, timeout) {
  if (response.status === 204) return null;
  try {
    const text = await response.text();
    return text === '' ? null : JSON.parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) {
      throw new ApiError('http', { status: response.status, title: 'The answer is not JSON', detail: 'The server answered with something other than JSON.' });
    }
    if (cause.name === 'AbortError') throw cause;
    throw noAnswer(deadline, timeout);
  }
}

function noAnswer(deadline, timeout) {
  return deadline.aborted
    ? new ApiError('timeout', { title: 'No answer in time', detail: `The server did not answer within ${timeout / 1000} s.` })
    : new ApiError('network', { title: 'The server cannot be reached', detail: 'The connection to the server failed.' });
}

async function refusal(response) {
  let problem = {};
  try {
    problem = (await response.json()) ?? {};
  } catch {
    // A proxy's HTML page, say: the status alone has to do.
  }
  const { title = `The server answered ${response.status}`, detail, errors } = problem;
  return new ApiError('http', {
    status: response.status,
    title,
    detail,
    errors: Array.isArray(errors) ? errors : [],
    retryAfter: Number(response.headers.get('Retry-After')) || null,
    requestId: response.headers.get('X-Request-Id'),
  });
}

function queryString(query) {
  const entries = Object.entries(query ?? {}).filter(([, value]) => value !== null && value !== undefined && value !== '');
  return entries.length === 0 ? '' : '?' + new URLSearchParams(entries);
}
