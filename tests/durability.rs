//! The server as a program: acknowledged changes survive, however it ends.
//!
//! `frontdesk-server` runs as a separate process, on a directory and, if PostgreSQL is installed,
//! on a new database of a server.

mod accounts;
mod backup;
mod desk;
mod killed;
mod killed_app;
mod metrics;
mod mounted;
mod options;
mod place;
mod retention;
mod seeded;
mod stopped;
mod writer;

use frontdesk_tests::server::Needs::{Mount, Nothing, PostgreSql};
use frontdesk_tests::trials;
use libtest_mimic::Trial;

pub(crate) fn trials() -> Vec<Trial> {
    trials![
        Nothing => accounts::{
            an_empty_server_is_set_up_and_its_accounts_are_managed_while_it_runs,
            an_unknown_organisation_is_created_only_after_a_question,
        },
        Nothing => backup::{
            a_backup_is_made_while_calls_continue_and_restored_elsewhere,
            changes_can_be_read_and_undone_in_a_restored_database,
            an_interrupted_backup_leaves_no_copy_of_the_database,
            what_a_killed_backup_left_is_removed_by_the_next_start_and_the_next_backup,
            a_damaged_backup_is_refused_and_nothing_is_changed,
            a_backup_that_is_too_old_is_refused_with_what_to_do,
            a_check_finds_nothing_wrong_and_knows_the_last_backup,
            what_cannot_be_used_is_named_before_anything_is_migrated,
            a_file_configures_the_server_and_options_win,
        },
        Nothing => killed_app::{
            kill_9_leaves_no_process_of_a_server_behind,
        },
        Nothing => killed::{
            kill_9_loses_nothing_that_the_embedded_database_has_acknowledged,
            kill_9_leaves_no_temporary_file_that_the_next_start_does_not_clear,
        },
        PostgreSql => killed::{
            kill_9_loses_nothing_that_a_postgresql_server_has_acknowledged,
            kill_9_of_postgresql_itself_loses_nothing_and_the_server_lives_on,
        },
        Nothing => options::{
            port_0_picks_a_port_and_says_which,
            the_demo_says_who_can_sign_in_and_how,
            an_option_that_cannot_be_understood_is_named_and_nothing_is_started,
            an_environment_variable_that_cannot_be_understood_is_named,
            a_password_in_an_address_that_cannot_be_understood_is_not_repeated,
            what_is_missing_at_the_start_is_an_error_that_says_so,
            only_commands_that_fill_a_database_create_one,
            the_unit_is_valid_and_hardened,
            the_version_names_the_schema_and_the_revisions,
            a_socket_is_served_replaced_after_a_kill_and_removed_at_the_end,
        },
        Nothing => metrics::{
            a_log_that_cannot_be_written_ends_no_call,
            every_alert_and_every_panel_reads_a_metric_that_exists,
        },
        Mount => mounted::{
            a_mount_point_whose_parent_is_closed_holds_a_database,
            a_full_disk_of_the_embedded_database_is_told_and_reads_go_on,
        },
        Nothing => retention::{changes_are_kept_for_the_days_of_the_database_which_a_command_shortens},
        Nothing => seeded::{
            seeded_guests_are_there_when_the_directory_is_served,
            guests_are_seeded_through_the_server_that_has_the_directory_open,
        },
        PostgreSql => seeded::{guests_are_seeded_beside_a_server_that_runs},
        Nothing => stopped::{
            a_signal_to_stop_lets_calls_in_flight_finish_on_the_embedded_database,
            a_server_can_be_stopped_as_soon_as_it_says_that_it_listens,
            a_statement_that_goes_on_does_not_keep_the_embedded_database_from_stopping,
            a_second_process_on_the_same_directory_is_told_so_and_the_first_goes_on,
        },
        PostgreSql => stopped::{a_signal_to_stop_lets_calls_in_flight_finish_on_a_postgresql_server},
    ]
}
