#!lua
-- States no keys.
-- ARGV  none
-- REPLY DONE
-- COST  O(1)
return {'DONE'}
