-- A preview tells what cannot be undone.
grant execute on function app.lasting(text) to authenticated;
