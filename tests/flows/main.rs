//! What people do at the screen, over the real server, told as stories. See `frontdesk_tests::desk`.

mod check_in;
mod launch;
mod sign_in;
