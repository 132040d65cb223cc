#!lua
-- States no cost.
-- KEYS  none
-- ARGV  none
-- REPLY DONE
return {'DONE'}
