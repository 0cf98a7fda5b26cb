-- The roles that see business units see and change their canvas.
select app.protect('strategy.canvas_blocks', reads => '{owner,admin,finance}', writes => '{owner,admin,finance}');
select app.protect('strategy.personas',
  reads => '{owner,admin,staff,teacher,finance}', writes => '{owner,admin,staff}');
select app.protect('strategy.competitors',
  reads => '{owner,admin,staff,teacher,finance}', writes => '{owner,admin,staff}');
-- No tool deletes these.
revoke delete on strategy.canvas_blocks from authenticated;
