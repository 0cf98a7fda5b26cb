//! The card over the page of a server that signs in to it in a browser.

use crossterm::event::KeyEvent;
use ratatui::Frame;
use ratatui::layout::Rect;

use super::contexts::PAGE;
use crate::app::cx::{Cx, Move, News};
use crate::app::effects::browser::{SignInTo, SignedIn};
use crate::app::effects::job::Outcome;
use crate::app::effects::session::FinishInBrowser;
use crate::app::input::command::{Context, commands};
use crate::app::layer::Layer;
use crate::app::owner::RequestId;
use crate::app::peer::Peer;
use crate::app::state::State;
use crate::look::mark::Mark;
use crate::look::text::clean;
use crate::screens::servers::page::ServerPage;
use crate::screens::sign_in::in_browser::InBrowser;
use crate::ui::panel;

static SIGN_IN: Context = Context::layer("Sign-in to a server");

commands! {
    pub(crate) const COMMANDS;

    PAGE: "server.sign_in", ["L"], "Sign in to the server, in a browser",
        run |state, out| {
            if let Some(page) = state.shows::<ServerPage>() {
                let server = page.server().to_owned();
                let mut cx = state.cx(out);
                let browser = InBrowser::open(&mut cx, SignInTo::Server(server.clone()));
                cx.raise(ServerSignIn { server, browser });
            }
        }, hint("sign in"), hinted_if(|state| {
            let page = state.shows::<ServerPage>();
            page.is_some_and(ServerPage::wants_sign_in)
        });
    SIGN_IN: "server_sign_in.submit", ["enter"], "Sign in with the pasted address",
        top |card: &mut ServerSignIn, cx| card.browser.submit(cx), sends, hint("sign in");
    SIGN_IN: "server_sign_in.copy", ["ctrl-y"], "Copy the address to open in a browser",
        top |card: &mut ServerSignIn, cx| card.browser.copy(cx), hint("copy the address");
    SIGN_IN: "server_sign_in.close", ["esc"], "Go back without signing in",
        top |card: &mut ServerSignIn, cx| {
            card.browser.close(cx);
            cx.out.moves.push(Move::Drop);
        }, hint("back");
}

/// A sign-in to a server.
#[derive(Debug)]
struct ServerSignIn {
    server: String,
    browser: InBrowser,
}

impl Layer for ServerSignIn {
    fn context(&self) -> &'static Context {
        &SIGN_IN
    }

    fn key(&mut self, _: &mut Cx, key: KeyEvent) {
        self.browser.ended_on.key(key);
    }

    fn paste(&mut self, _: &mut Cx, text: &str) {
        self.browser.ended_on.paste(text);
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: &Outcome) {
        self.browser.answered(cx, request, outcome);
        let signed_in = outcome.end::<FinishInBrowser>().map(|ended| &ended.result);
        if matches!(signed_in, Some(Ok(SignedIn::Server(server))) if *server == self.server) {
            let words = format!("Signed in to {}", clean(&self.server));
            cx.toast(Mark::Good, words);
            cx.out.moves.push(Move::Drop);
            cx.tell(News::ToolsChanged(Peer::Server(self.server.clone())));
        }
    }

    fn is_busy(&self) -> bool {
        self.browser.is_busy()
    }

    fn draw(&self, state: &State, frame: &mut Frame, area: Rect) {
        let shared = &state.shared;
        let title = format!("Sign in to {}", clean(&self.server));
        let inner = panel::card(frame, &shared.settings.theme, area, 76, 16, &title);
        self.browser.draw(shared, frame, inner);
    }
}
