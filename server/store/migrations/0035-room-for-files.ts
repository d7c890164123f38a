/** How many gigabytes all pictures and files may take together; null: as many as the disk has. */
export default 'ALTER TABLE users ADD COLUMN files_gigabytes INTEGER DEFAULT 20;'
