"""The reviewer's desk: a checked site as one offline HTML map on which a person decides."""
