select app.protect('strategy.business_units', reads => '{owner,admin,finance}', writes => '{owner,admin,finance}');
