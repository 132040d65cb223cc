#!lua flags=no-writes
-- Answers with the word it is given, and with the kinds of parts that a reply may have.
-- KEYS  any…
-- ARGV  word, text
-- REPLY ECHO text number list
-- REPLY REBUILDING
-- COST  O(1)
--@include sample/shout
--@include clock
return {ARGV[1], shout(ARGV[2]), 7, {'a', 'b', now_us('3')}}
