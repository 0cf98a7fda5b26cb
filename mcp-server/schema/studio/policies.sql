select app.protect('studio.' || t,
  reads => '{owner,admin,staff,teacher,finance}', writes => '{owner,admin,staff,teacher}')
from unnest(array['video_lessons', 'slides', 'thumbnails']) t;
-- No tool does these.
revoke delete on studio.video_lessons, studio.thumbnails from authenticated;
revoke update on studio.slides from authenticated;
