#!lua
-- States its arguments twice.
-- KEYS  none
-- ARGV  none
-- ARGV  again
-- REPLY DONE
-- COST  O(1)
return {'DONE'}
