ALTER TABLE orders ADD COLUMN remark text;
