-- Sets the entries of a block. Of two callers who read the same version, the second is refused. A block that was never
-- written has version 0. For a business unit that the caller does not see, the answer is the same for each version.
create function strategy.set_block(unit uuid, part text, based_on integer, entries text[])
  returns setof strategy.canvas_blocks language plpgsql set search_path = '' as $$
declare
  current strategy.canvas_blocks;
begin
  select * into current from strategy.canvas_blocks b where b.business_unit_id = unit and b.block = part for update;
  if coalesce(current.version, 0) <> based_on then
    if not exists (select from strategy.business_units u where u.id = unit) then
      raise foreign_key_violation using table = 'canvas_blocks', constraint = 'canvas_blocks_business_unit_id_fkey';
    end if;
    raise unique_violation using column = 'version',
      message = format('the current version is %s: read the canvas again', coalesce(current.version, 0));
  elsif current.version is null then
    return query insert into strategy.canvas_blocks (business_unit_id, block, items) values (unit, part, entries)
      on conflict do nothing returning *;
    if not found then
      raise unique_violation using column = 'version', message = 'the current version is 1: read the canvas again';
    end if;
  else
    return query update strategy.canvas_blocks b
      set items = entries, version = b.version + (b.items is distinct from entries)::integer
      where b.business_unit_id = unit and b.block = part returning b.*;
  end if;
end
$$;

grant execute on function strategy.set_block to authenticated;
