"""Site -> marks on paper -> a geospatial PDF, and the measuring of any finished plate."""
