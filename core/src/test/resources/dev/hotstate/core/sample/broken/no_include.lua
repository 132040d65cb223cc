#!lua
-- Includes what is not there.
-- KEYS  none
-- ARGV  none
-- REPLY DONE
-- COST  O(1)
--@include nowhere
return {'DONE'}
