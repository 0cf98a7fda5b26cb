select app.protect(of, reads => '{owner,admin,staff,finance}', writes => '{owner,admin,staff}')
  from unnest(array['proposals.tenders', 'proposals.answers', 'proposals.submissions',
                    'proposals.submission_answers']::regclass[]) of;
-- No tool deletes these. A tender with a submission stays, since the submission refers to it.
revoke delete on proposals.answers, proposals.submissions, proposals.submission_answers from authenticated;
