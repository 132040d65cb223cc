// What the usual status codes mean, for those who do not know them by heart.

const NAMES = {
  400: 'Bad request', 401: 'Unauthorized', 403: 'Forbidden', 404: 'Not found', 405: 'Method not allowed', 408: 'Timeout', 409: 'Conflict',
  410: 'Gone', 412: 'Precondition failed', 413: 'Too large', 415: 'Media type', 422: 'Unprocessable', 429: 'Too many requests',
  500: 'Server error', 501: 'Not implemented', 502: 'Bad gateway', 503: 'Unavailable', 504: 'Gateway timeout',
};

export function statusName(code) {
  return NAMES[code] ?? (Number(code) >= 500 ? 'Server error' : 'Refused');
}
