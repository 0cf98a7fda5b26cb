//! The Business Model Canvas.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::record::{Maybe, One, Record};
use frontdesk_protocol::strategy::canvas::{Block, Canvas, CanvasBlock, GetCanvas, SetCanvasBlock};

use crate::call::{Answer, Call, Handler, Outcome};
use crate::database::params;
use crate::hosts::routes;

impl Handler for GetCanvas {
    async fn handle(self, call: &mut Call) -> Outcome<Maybe<Canvas>> {
        let sql = "select json_build_object('canvas', (select json_build_object( \
               'business_unit_id', u.id, 'business_unit_name', u.name, \
               'blocks', (select json_agg(json_build_object('block', b.block, 'items', coalesce(t.items, '{}'), \
                                                            'version', coalesce(t.version, 0), \
                                                            'updated_at', t.updated_at) order by b.place) \
                 from unnest($2::text[]) with ordinality b (block, place) \
                 left join strategy.canvas_blocks t on t.business_unit_id = u.id and t.block = b.block)) \
             from strategy.business_units u where u.id = $1))::text";
        match call
            .json(sql, params![self.business_unit_id, Block::ALL])
            .await?
        {
            Some(canvas) => Ok(canvas),
            None => Answer::of(&Maybe(None)),
        }
    }
}

impl Handler for SetCanvasBlock {
    async fn handle(self, call: &mut Call) -> Outcome<One<CanvasBlock>> {
        let sql = "select json_build_object('canvas_block', json_build_object( \
               'block', r.block, 'items', r.items, 'version', r.version, 'updated_at', r.updated_at))::text \
             from strategy.set_block($1, $2, $3, $4) r";
        let params = params![self.business_unit_id, self.block, self.version, self.items];
        let written = call.finally().json(sql, params).await?;
        written.ok_or_else(|| ToolError::not_found(CanvasBlock::SINGULAR))
    }
}

routes![
    GetCanvas => own,
    SetCanvasBlock => own,
];
