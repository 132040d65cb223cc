-- Has no first line that names its language.
-- KEYS  none
-- ARGV  none
-- REPLY DONE
-- COST  O(1)
return {'DONE'}
