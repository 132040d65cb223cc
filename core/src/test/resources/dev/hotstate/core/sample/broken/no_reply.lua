#!lua
-- States no reply.
-- KEYS  none
-- ARGV  none
-- COST  O(1)
return {'DONE'}
