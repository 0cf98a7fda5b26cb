//! Tests that need a PostgreSQL server: sessions that wait for each other, and failures of the
//! server itself. Callers get a clear error, no change is half written, and the hosts recover.
//!
//! The server is that of `FRONTDESK_TEST_DATABASE`, or a temporary one if PostgreSQL is installed.
//! Otherwise these tests are reported as ignored.

mod cancelled;
mod checked;
mod colliding;
mod cut;
mod encrypted;
mod full;
mod killed;
mod learn;
mod locked;
mod modest;
mod moved;
mod moving;
mod overload;
mod replicas;
mod restarted;
mod rules;
mod staff;
mod stage;
mod together;
mod undone;
mod upgraded;
mod waiting;
mod webhooks;
mod work;

use frontdesk_tests::server::Needs::{Mount, PostgreSql};
use frontdesk_tests::trials;
use libtest_mimic::Trial;

pub(crate) fn trials() -> Vec<Trial> {
    trials![
        PostgreSql => checked::{wrong_set_ups_are_named_with_what_to_change},
        PostgreSql => colliding::{
            of_two_submissions_to_a_tender_one_is_begun,
            of_two_who_submit_one_does,
            of_two_dispatches_each_guest_gets_one,
            of_two_last_attempts_one_counts,
            versions_that_are_published_at_once_are_all_kept,
        },
        PostgreSql => cut::{
            a_connection_that_is_cut_in_a_statement_undoes_it,
            a_connection_that_is_cut_in_its_commit_leaves_unknown_what_became_of_it,
            a_commit_that_its_standby_does_not_confirm_leaves_unknown_what_becomes_of_it,
            a_call_with_a_key_whose_commit_was_cut_can_be_sent_again,
        },
        PostgreSql => killed::{
            a_write_whose_server_is_killed_after_any_statement_is_done_completely_or_not_at_all,
        },
        Mount => full::{a_full_disk_is_told_and_what_needs_no_room_goes_on},
        PostgreSql => learn::{
            of_two_edges_that_close_a_way_round_one_is_added,
            of_two_instantiations_one_copies,
            of_two_users_given_one_slug_one_has_it,
            of_two_articles_put_below_each_other_one_is,
        },
        PostgreSql => cancelled::{
            a_cancelled_call_changes_nothing_whichever_process_is_told,
            a_call_is_cancelled_by_its_own_session_only,
            what_cancelled_an_earlier_call_does_not_cancel_one_of_the_same_id,
            a_write_that_is_being_committed_is_answered_as_if_nothing_had_been_said,
        },
        PostgreSql => locked::{
            a_lock_that_is_not_given_back_in_time_is_told_and_others_are_served,
            writes_that_wait_for_a_locked_row_leave_connections_to_reads,
            a_locked_table_takes_one_source_of_a_weekly_update_at_most,
            a_listener_whose_reading_waits_for_a_lock_does_not_hold_up_others,
        },
        PostgreSql => encrypted::{sslmode_verifies_what_libpq_verifies_and_check_names_it},
        PostgreSql => modest::{
            who_may_not_prepare_the_database_is_told_who_may,
            an_owner_who_can_create_roles_needs_no_superuser,
            a_schema_of_another_version_is_refused,
            a_database_of_another_program_is_left_alone,
            a_migration_that_fails_leaves_nothing_behind,
            settings_of_the_database_do_not_reach_its_calls,
            an_encoding_that_cannot_hold_every_text_is_refused,
            the_log_has_the_cause_of_a_failure_at_the_id_that_the_caller_sees,
            a_server_waits_for_a_database_that_is_not_up_yet_and_says_so,
        },
        PostgreSql => moved::{
            a_database_moves_to_a_server_with_everything_or_not_at_all,
            the_app_goes_on_where_its_server_has_moved,
        },
        PostgreSql => moving::{
            a_client_that_moves_between_processes_in_its_session_notices_nothing,
            a_client_whose_process_is_killed_in_a_call_goes_on_at_the_other,
            of_two_equal_calls_at_two_processes_one_is_questioned_and_after_a_restart_the_next,
        },
        PostgreSql => overload::{
            calls_beyond_capacity_are_refused_at_once_and_the_rest_is_served,
            clients_that_do_not_read_their_answers_keep_no_connection_of_the_database,
        },
        PostgreSql => replicas::{
            everyone_sees_what_was_written_as_a_replica_pauses_hangs_dies_and_is_promoted,
            a_standby_of_another_timeline_answers_nothing,
            check_tells_which_replica_is_none,
        },
        PostgreSql => restarted::{
            a_restart_under_load_refuses_what_it_undoes_and_ends_by_itself,
            health_tells_that_the_database_is_away,
            health_and_check_tell_that_a_cluster_has_no_synchronous_standby,
        },
        PostgreSql => rules::{
            of_two_reconciliations_of_a_line_one_is_done,
            no_line_is_left_with_an_entry_that_is_reversed_meanwhile,
            of_two_lines_that_are_reconciled_with_one_entry_one_is,
            of_two_ingests_of_a_statement_each_line_is_added_once,
            of_two_reversals_of_an_entry_one_is_posted,
            of_two_payments_by_one_transaction_one_is_paid,
            of_two_updates_of_a_version_of_a_document_one_is_written,
            of_a_review_and_a_change_of_the_text_no_text_is_approved_that_nobody_read,
            of_two_reviews_of_a_post_one_counts,
        },
        PostgreSql => staff::{
            of_two_owners_who_take_each_other_s_rights_one_stays,
            of_two_payments_that_are_too_much_together_one_is_recorded,
            of_two_who_open_one_link_one_joins,
            invoices_written_at_once_are_numbered_without_a_gap,
        },
        PostgreSql => together::{
            of_two_removals_of_a_series_one_is_done,
            of_two_promotions_of_an_occurrence_one_is_done,
            of_two_merges_of_a_skeleton_one_is_done,
            merges_in_opposite_directions_do_not_wait_for_each_other_forever,
            of_a_removal_and_a_promotion_from_the_same_series_nothing_is_there_twice,
        },
        PostgreSql => undone::{an_undo_that_is_cut_at_any_table_restores_nothing},
        PostgreSql => upgraded::{
            an_upgrade_that_is_killed_twice_loses_nothing_and_begins_with_a_backup,
            an_upgrade_that_waits_for_a_reader_holds_up_no_other,
            without_room_for_its_backup_nothing_is_migrated_unless_it_is_refused,
            an_upgraded_database_equals_a_new_one,
            a_backup_of_the_oldest_schema_becomes_the_rows_of_an_upgraded_database,
            two_versions_on_one_database_keep_working_when_a_function_is_replaced,
        },
        PostgreSql => waiting::{
            a_call_whose_client_went_away_leaves_no_lock_behind,
            a_check_in_that_waited_for_another_is_the_second,
            a_member_who_was_added_while_the_call_waited_is_linked,
            a_dropped_statement_ends_on_the_server_too,
            a_deadlock_is_told_as_another_change,
        },
        PostgreSql => webhooks::{two_processes_on_one_database_tell_of_every_meeting_once},
        PostgreSql => work::{
            tasks_added_at_once_are_numbered_without_a_gap,
            of_a_deletion_of_an_epic_and_what_is_added_to_it_one_is_done,
            of_two_who_set_the_tasks_of_a_plan_one_list_stays,
            of_two_who_set_the_slides_of_a_lesson_one_list_stays,
            of_two_who_say_whose_a_label_is_both_are_heard_and_it_is_there_once,
            of_two_who_take_each_other_s_level_one_keeps_it,
        },
    ]
}
