package dev.hotstate.limits;

/** What a counter belongs to, for what this process remembers of it. */
record CounterId(String tag, String rule, String subject) {}
