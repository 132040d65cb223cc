// Rules as a person edits them: YAML, one field a line. What it prints, the server reads back as the same rules.

const FIELDS = ['id', 'algorithm', 'limit', 'window', 'burst', 'on_error', 'shadow', 'slice', 'lease'];
const YAML_WORDS = ['true', 'false', 'null', 'yes', 'no', 'on', 'off', 'y', 'n'];
const EXAMPLE = `# A list of rules: the whole set. For example:
# - id: login
#   algorithm: sliding_window   # fixed_window, sliding_window, sliding_log or token_bucket
#   limit: 5
#   window: 1m
#   on_error: open              # without Redis: open, closed or local
#   shadow: false               # true counts what it would deny, and denies nothing
[]
`;

export function toYaml(rules) {
  return rules.length === 0 ? EXAMPLE : rules.map(item).join('\n');
}

/** JSON is read as JSON, anything else as YAML. */
export function contentType(text) {
  return /^\s*\[\s*\{/.test(text) ? 'application/json' : 'application/yaml';
}

/** Where the rule's lines begin and end in the text, for the cursor; null when it is not there. */
export function placeOf(text, id) {
  const start = text.indexOf(item({ id }));
  if (start < 0) return null;
  const next = text.indexOf('\n- ', start);
  return { start, end: next < 0 ? text.trimEnd().length : next };
}

function item(rule) {
  return FIELDS.filter((field) => rule[field] !== undefined && rule[field] !== null)
    .map((field, i) => `${i === 0 ? '- ' : '  '}${field}: ${scalar(rule[field])}\n`)
    .join('');
}

// A text that YAML could take for something else (123, true, 1e5) is quoted.
function scalar(value) {
  if (typeof value !== 'string') return String(value);
  const plain = (/^[a-z][a-z0-9_-]*$/.test(value) && !YAML_WORDS.includes(value)) || /^[0-9]+(ms|s|m|h|d)$/.test(value);
  return plain ? value : JSON.stringify(value);
}
